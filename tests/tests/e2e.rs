//! Proem in Chromium: the pages as they are built, a server in this process, and a reader with a mouse and a keyboard.
//! It needs chromium and chromedriver (`CHROMIUM` and `CHROMEDRIVER` say where, else the search path), and the pages in `dist`.

// A failed `unwrap` is a failed test, in helpers as well.
#![allow(clippy::unwrap_used)]

mod e2e {
    mod access;
    mod browser;
    mod chat;
    mod chromedriver;
    mod context;
    mod drop;
    mod foreign;
    mod governance;
    mod hostile;
    mod keyboard;
    mod ledger;
    mod margin;
    mod modules;
    mod page;
    mod parity;
    mod replay;
    mod rules;
    mod runners;
    mod save;
    mod server;
    mod sessions;
    mod sign_in;
    mod skills;
    mod workbench;
}
