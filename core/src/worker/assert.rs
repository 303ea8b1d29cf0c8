//! The reader worker's side of replay assertions: rules are begun, logs and rows are held against them one after the other, and the end
//! gives the report. No log is kept. A host that no longer wants the report ends the worker, or begins anew.

use crate::assertion::{Report, Row, Rules, Run};
use crate::ledger::LedgerEntry;
use crate::log::Log;
use crate::template::problem::Problem;
use serde::{Deserialize, Serialize};

/// What is asked about rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssertRequest {
    /// Say what is wrong with rules, while they are typed.
    Check {
        /// YAML.
        rules: String,
    },
    /// Begin to hold logs against rules; what was begun before is forgotten.
    Begin {
        /// YAML.
        rules: String,
    },
    /// Hold a log against them. Its bytes travel beside the message.
    Log {
        /// What to call it in the report.
        name: String,
        /// The rows of its session; absent where there is no ledger of it, and then rules that look for rows in it are not judged.
        entries: Option<Vec<LedgerEntry>>,
    },
    /// Note a log that did not arrive.
    LeftOut {
        /// What to call it in the report.
        name: String,
        /// Why.
        message: String,
    },
    /// Hold rows of the ledger against the rules about rows; each row is given once.
    Rows {
        /// In any order.
        entries: Vec<LedgerEntry>,
    },
    /// Nothing more comes.
    End,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssertAnswer {
    /// To `Check`, and to `Begin` with rules that are wrong.
    Faults {
        /// What is wrong, in the text's order; empty for rules that can be run.
        problems: Vec<Problem>,
        /// How many rules there are, when nothing is wrong.
        rules: usize,
    },
    /// To `Begin`, `Log`, `LeftOut` and `Rows`: go on.
    Taken,
    /// To `End`.
    Report {
        /// What came out.
        report: Box<Report>,
    },
}

/// What was begun.
#[derive(Default)]
pub(super) struct Asserter {
    run: Option<Run>,
}

impl Asserter {
    /// Carries out one request; the error is a sentence for a person.
    pub fn answer(
        &mut self,
        request: AssertRequest,
        bytes: Option<Vec<u8>>,
        progress: &mut dyn FnMut(),
    ) -> Result<AssertAnswer, String> {
        Ok(match request {
            AssertRequest::Check { rules } => match Rules::parse(&rules) {
                Ok(rules) => AssertAnswer::Faults { problems: Vec::new(), rules: rules.said().len() },
                Err(problems) => AssertAnswer::Faults { problems, rules: 0 },
            },
            AssertRequest::Begin { rules } => {
                self.run = None;
                match Rules::parse(&rules) {
                    Ok(rules) => {
                        self.run = Some(Run::new(rules));
                        AssertAnswer::Taken
                    }
                    Err(problems) => AssertAnswer::Faults { problems, rules: 0 },
                }
            }
            AssertRequest::Log { name, entries } => {
                let run = self.begun()?;
                let bytes = bytes.ok_or_else(|| format!("The bytes of {name} did not arrive; run the rules again."))?;
                match Log::read(&name, bytes, progress) {
                    Ok(log) => run.log(&name, &log, entries.as_deref(), progress),
                    Err(error) => run.left_out(&name, error.to_string()),
                }
                AssertAnswer::Taken
            }
            AssertRequest::LeftOut { name, message } => {
                self.begun()?.left_out(&name, message);
                AssertAnswer::Taken
            }
            AssertRequest::Rows { entries } => {
                self.begun()?.rows(entries.iter().map(Row::Shown), progress);
                AssertAnswer::Taken
            }
            AssertRequest::End => {
                self.begun()?;
                let report = self.run.take().map(Run::finish).unwrap_or_default();
                AssertAnswer::Report { report: Box::new(report) }
            }
        })
    }

    fn begun(&mut self) -> Result<&mut Run, String> {
        self.run.as_mut().ok_or_else(|| "No rules are being run; begin first.".to_owned())
    }
}
