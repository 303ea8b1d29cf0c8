//! How a link knows a file again that it cannot carry: by size and a hash of the content.

use crate::page::LocalFile;
use crate::state::wording::file_size;

/// Hex digits of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A hash for pages that the browser gives no cryptography (plain http from another machine): FNV-1a, 64 bits. It tells files
/// apart that differ by accident; nothing is kept secret with it.
pub fn plain_hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// Whether a chosen file is the one a link means.
///
/// # Errors
/// A sentence that says how it differs.
pub fn check(wanted: &LocalFile, chosen: &LocalFile) -> Result<(), String> {
    if wanted.size != chosen.size {
        return Err(format!(
            "This is another file: {} has {}, the link is to one of {} ({} and {} bytes).",
            chosen.name,
            file_size(chosen.size),
            file_size(wanted.size),
            chosen.size,
            wanted.size
        ));
    }
    if wanted.fingerprint != chosen.fingerprint {
        return Err(format!(
            "This is another file: {} is as long as the one the link means, but its content differs.",
            chosen.name
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check, hex, plain_hash};
    use crate::page::LocalFile;

    fn file(name: &str, size: u64, fingerprint: &str) -> LocalFile {
        LocalFile { name: name.to_owned(), size, fingerprint: fingerprint.to_owned() }
    }

    #[test]
    fn a_file_is_known_by_its_content_not_by_its_name() {
        let wanted = file("session-a.jsonl", 12, "00ff");
        assert_eq!(check(&wanted, &file("renamed.txt", 12, "00ff")), Ok(()));
        assert!(check(&wanted, &file("session-a.jsonl", 13, "00ff")).unwrap_err().contains("13 and 12 bytes"));
        assert!(check(&wanted, &file("session-a.jsonl", 12, "00fe")).unwrap_err().contains("content differs"));
    }

    #[test]
    fn hashes_are_what_the_server_takes() {
        assert_eq!(hex(&[0, 255, 16]), "00ff10");
        assert_eq!(plain_hash(b""), "cbf29ce484222325");
        assert_eq!(plain_hash(b"a"), "af63dc4c8601ec8c");
    }
}
