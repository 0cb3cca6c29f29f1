//! SHA-256, which witnesses and the cache identify programs by.

use sha2::{Digest, Sha256};

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The digest as 64 hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
