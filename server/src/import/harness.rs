//! What a harness keeps beside its logs: its ledger and the record of its welcome.

use crate::store::{ForeignWelcome, HarnessLedger, Store};
use proem_core::ledger::{LedgerRow, masked};
use serde_json::Value;
use std::path::Path;

/// Keys of a harness's record of its welcome; a file is one when it has the first two.
const WELCOME_KEYS: [&str; 2] = ["session_id", "response"];

/// What became of the rows of a ledger.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Rows that were not here.
    pub added: u64,
    /// Rows that were.
    pub known: u64,
    /// A sentence about each row that could not be read.
    pub left_out: Vec<String>,
    /// A sentence, when newer rows lie beside the file.
    pub unread: Option<String>,
}

/// Takes over the rows of a harness's ledger; `None` when the file is another program's database. What is there already adds nothing, so that
/// a ledger that has grown can be imported again.
///
/// # Errors
/// A part of a sentence, to follow the file's name, when it is damaged or the store failed. Batches before that are kept.
pub async fn ledger(store: &Store, path: &Path) -> Result<Option<Rows>, String> {
    let Some(mut ledger) = HarnessLedger::open(path).await? else { return Ok(None) };
    let mut rows = Rows { unread: ledger.unread(), ..Rows::default() };
    while let Some(batch) = ledger.next().await? {
        let (mut sound, mut broken) = (Vec::with_capacity(batch.len()), Vec::new());
        for row in batch {
            match row {
                Ok(row) => sound.push(with_record_id(row)),
                Err(why) => broken.push(why),
            }
        }
        let added = store.import_rows(&sound).await.map_err(|error| format!("could not be taken in: {error}"))?;
        rows.added += added;
        rows.known += sound.len() as u64 - added;
        rows.left_out.append(&mut broken);
    }
    Ok(Some(rows))
}

/// Older ledgers give their rows no ids of their own. A row's place and everything it says make one, the same every time.
fn with_record_id(mut row: LedgerRow) -> LedgerRow {
    if row.record_id.is_none() {
        let payload = Value::Object(row.payload.clone()).to_string();
        let parts = [
            Some(row.ts.as_str()),
            row.run_id.as_deref(),
            row.agent_type.as_deref(),
            Some(&row.hook_point),
            Some(&row.plugin),
            Some(row.decision.as_str()),
            Some(&row.severity),
            Some(&row.reason),
            Some(&payload),
        ];
        let mut hash = Fnv::new();
        for part in parts {
            hash.add(part.unwrap_or_default().as_bytes());
            // No part can pass for two.
            hash.add(&[0]);
        }
        hash.add(&row.step_id.unwrap_or(-1).to_le_bytes());
        row.record_id = Some(format!("row-{}-{:032x}", row.id, hash.0));
    }
    row
}

/// The hash FNV-1a in 128 bits: it will be the same in every later version, which the standard library does not promise of its own.
struct Fnv(u128);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

/// What a file tells of a harness's welcome; `None` when it is no record of one. One that is `named` so and cannot be read counts as done, with
/// empty fields, as the harness itself takes it (specs: system-opened-turns, 4.1).
pub fn welcome(bytes: &[u8], named: bool) -> Option<ForeignWelcome> {
    let Ok(Value::Object(record)) = serde_json::from_slice::<Value>(bytes) else { return named.then(ForeignWelcome::default) };
    if WELCOME_KEYS.iter().any(|key| !record.contains_key(*key)) {
        return None;
    }
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(ForeignWelcome {
        skipped: record.get("skipped").and_then(Value::as_bool).unwrap_or(false),
        session_id: text("session_id"),
        response: masked(&text("response")),
        channel: text("channel"),
        reason: text("reason"),
        at: text("at"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Fnv, welcome};

    #[test]
    fn the_hash_is_the_published_one() {
        let of = |text: &str| {
            let mut hash = Fnv::new();
            hash.add(text.as_bytes());
            hash.0
        };
        assert_eq!(of(""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(of("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(of("foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }

    #[test]
    fn a_welcome_is_known_by_what_it_holds() {
        let whole = br#"{"session_id":"s","at":"t","channel":"web","response":"to jo@b.org"}"#;
        for named in [true, false] {
            let found = welcome(whole, named).unwrap();
            assert_eq!((found.skipped, found.session_id.as_str(), found.response.as_str()), (false, "s", "to **@b.org"));
            let skipped = br#"{"session_id":"","response":"","channel":"cli-setup","skipped":true,"reason":"r"}"#;
            let found = welcome(skipped, named).unwrap();
            assert_eq!((found.skipped, found.reason.as_str(), found.at.as_str()), (true, "r", ""));
            assert_eq!(welcome(br#"{"title":"Welcome"}"#, named), None, "another program's");
            // Wrong types say nothing.
            let odd = welcome(br#"{"session_id":1,"response":null,"skipped":"yes"}"#, named).unwrap();
            assert_eq!(odd, Default::default());
        }
        for bytes in [&b""[..], b"{", b"[]", b"null", b"\xff"] {
            assert_eq!(welcome(bytes, true), Some(Default::default()));
            assert_eq!(welcome(bytes, false), None);
        }
    }
}
