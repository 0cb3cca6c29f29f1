//! SHA-256 (FIPS 180-4), which witnesses identify programs by.

/// The square roots' and cube roots' fractions that the standard prescribes, worked out once.
const K: [u32; 64] = constants();
const START: [u32; 8] = start();

const fn is_prime(n: u32) -> bool {
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            return false;
        }
        d += 1;
    }
    true
}

/// The first 32 bits behind the point of the `root`-th root of `n`: the integer part of `root√(n · 2^(32·root))`.
const fn root_fraction(n: u32, root: u32) -> u32 {
    // Binary search for r with r^root ≤ n · 2^(32·root); r < 2^36, so cubes need 108 bits.
    let target = (n as u128) << (32 * root);
    let (mut low, mut high) = (0u128, 1u128 << 37);
    while high - low > 1 {
        let middle = (low + high) / 2;
        let power = if root == 2 { middle * middle } else { middle * middle * middle };
        if power <= target {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u32
}

const fn constants() -> [u32; 64] {
    let mut out = [0; 64];
    let (mut i, mut n) = (0, 2);
    while i < 64 {
        if is_prime(n) {
            out[i] = root_fraction(n, 3);
            i += 1;
        }
        n += 1;
    }
    out
}

const fn start() -> [u32; 8] {
    let mut out = [0; 8];
    let (mut i, mut n) = (0, 2);
    while i < 8 {
        if is_prime(n) {
            out[i] = root_fraction(n, 2);
            i += 1;
        }
        n += 1;
    }
    out
}

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    let mut state = START;
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64).wrapping_mul(8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, block);
    }
    let mut out = [0; 32];
    for (to, word) in out.chunks_exact_mut(4).zip(state) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    out
}

/// The digest as 64 hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let (a, b) = (w[i - 15], w[i - 2]);
        let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for i in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(K[i]).wrapping_add(w[i]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let t2 = s0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_vectors() {
        assert_eq!((START[0], K[0], K[63]), (0x6a09_e667, 0x428a_2f98, 0xc671_78f2));
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(
            hex(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(hex(&[b'a'; 1_000_000]), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }
}
