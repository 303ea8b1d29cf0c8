//! Rules over logs and ledgers: each file in `cases/assertions` is run or read, and what Proem says about it is a snapshot.

mod assertions {
    mod docs;
    mod faults;
    mod runs;
    mod yaml;
}
