//! An ordered map whose copies share what they have in common.
//!
//! An AVL tree with counted references: a clone costs nothing, a change of a map that others share copies the path from
//! the root to the changed entry, and a change of a map that nobody shares copies nothing. The contents of
//! arrays along an execution are such maps: each differs from the one before in one entry.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

type Link<K, V> = Option<Arc<Node<K, V>>>;

#[derive(Clone)]
struct Node<K, V> {
    key: K,
    value: V,
    left: Link<K, V>,
    right: Link<K, V>,
    height: u8,
}

/// A map from `K` to `V`, in the order of the keys.
pub struct SharedMap<K, V> {
    root: Link<K, V>,
    len: usize,
}

impl<K, V> Clone for SharedMap<K, V> {
    fn clone(&self) -> Self {
        SharedMap { root: self.root.clone(), len: self.len }
    }
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        SharedMap { root: None, len: 0 }
    }
}

fn height<K, V>(link: &Link<K, V>) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

impl<K: Clone, V: Clone> Node<K, V> {
    fn update_height(&mut self) {
        self.height = 1 + height(&self.left).max(height(&self.right));
    }

    /// Turns the node's right child (or its left one) into the root of this subtree.
    fn rotate(node: &mut Arc<Self>, to_left: bool) {
        let this = Arc::make_mut(node);
        let child = if to_left { this.right.take() } else { this.left.take() };
        let Some(mut child) = child else { return };
        let inner = Arc::make_mut(&mut child);
        if to_left {
            this.right = inner.left.take();
        } else {
            this.left = inner.right.take();
        }
        this.update_height();
        std::mem::swap(node, &mut child);
        // Now `node` is the former child, and `child` the former root.
        let new_root = Arc::make_mut(node);
        if to_left {
            new_root.left = Some(child);
        } else {
            new_root.right = Some(child);
        }
        new_root.update_height();
    }

    fn rebalance(node: &mut Arc<Self>) {
        let (left, right) = (height(&node.left), height(&node.right));
        if left > right + 1 {
            let this = Arc::make_mut(node);
            if let Some(child) = &mut this.left
                && height(&child.left) < height(&child.right)
            {
                Node::rotate(child, true);
            }
            Node::rotate(node, false);
        } else if right > left + 1 {
            let this = Arc::make_mut(node);
            if let Some(child) = &mut this.right
                && height(&child.right) < height(&child.left)
            {
                Node::rotate(child, false);
            }
            Node::rotate(node, true);
        } else {
            Arc::make_mut(node).update_height();
        }
    }
}

fn insert<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V) -> Option<V> {
    let Some(node) = link else {
        *link = Some(Arc::new(Node { key, value, left: None, right: None, height: 1 }));
        return None;
    };
    let this = Arc::make_mut(node);
    let old = match key.cmp(&this.key) {
        Ordering::Equal => return Some(std::mem::replace(&mut this.value, value)),
        Ordering::Less => insert(&mut this.left, key, value),
        Ordering::Greater => insert(&mut this.right, key, value),
    };
    if old.is_none() {
        Node::rebalance(node);
    }
    old
}

/// Takes the first entry of a subtree out.
fn pop_first<K: Clone, V: Clone>(link: &mut Link<K, V>) -> Option<(K, V)> {
    let node = link.as_mut()?;
    if node.left.is_none() {
        let first = (node.key.clone(), node.value.clone());
        *link = node.right.clone();
        return Some(first);
    }
    let first = pop_first(&mut Arc::make_mut(node).left);
    Node::rebalance(node);
    first
}

fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) -> Option<V> {
    let node = link.as_mut()?;
    let this = Arc::make_mut(node);
    let removed = match key.cmp(&this.key) {
        Ordering::Less => remove(&mut this.left, key),
        Ordering::Greater => remove(&mut this.right, key),
        Ordering::Equal => {
            let value = this.value.clone();
            match pop_first(&mut this.right) {
                Some((next_key, next_value)) => {
                    this.key = next_key;
                    this.value = next_value;
                }
                None => {
                    *link = this.left.take();
                    return Some(value);
                }
            }
            Some(value)
        }
    };
    if removed.is_some() {
        Node::rebalance(node);
    }
    removed
}

impl<K, V> SharedMap<K, V> {
    pub fn new() -> SharedMap<K, V> {
        SharedMap::default()
    }
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        let mut iter = Iter { stack: Vec::new() };
        iter.descend(&self.root);
        iter
    }
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        let mut node = self.root.as_ref()?;
        while let Some(right) = &node.right {
            node = right;
        }
        Some((&node.key, &node.value))
    }
    fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, Some(_)) | (Some(_), None) => false,
        }
    }
}

impl<K: Ord, V> SharedMap<K, V> {
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Equal => return Some(&node.value),
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
            };
        }
        None
    }
    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }
}

impl<K: Ord, V: PartialEq> SharedMap<K, V> {
    /// The keys that one map has and the other has not, or with another value, in order. What the maps share is
    /// not looked at.
    pub fn differing_keys<'a>(&'a self, other: &'a Self) -> Vec<&'a K> {
        let mut keys = Vec::new();
        let (mut left, mut right) = (Ahead::new(&self.root), Ahead::new(&other.root));
        loop {
            match skip_what_is_shared(&mut left, &mut right) {
                (None, None) => return keys,
                (Some(a), Some(b)) => {
                    let order = a.key.cmp(&b.key);
                    if order != Ordering::Equal || a.value != b.value {
                        keys.push(if order == Ordering::Greater { &b.key } else { &a.key });
                    }
                    if order != Ordering::Greater {
                        left.0.pop();
                    }
                    if order != Ordering::Less {
                        right.0.pop();
                    }
                }
                (Some(a), None) => {
                    keys.push(&a.key);
                    left.0.pop();
                }
                (None, Some(b)) => {
                    keys.push(&b.key);
                    right.0.pop();
                }
            }
        }
    }
}

/// What is still to come of a map, the next part last.
struct Ahead<'a, K, V>(Vec<Part<'a, K, V>>);

enum Part<'a, K, V> {
    Subtree(&'a Arc<Node<K, V>>),
    Entry(&'a Node<K, V>),
}

impl<'a, K, V> Ahead<'a, K, V> {
    fn new(root: &'a Link<K, V>) -> Self {
        Ahead(root.iter().map(Part::Subtree).collect())
    }
    /// Takes the next subtree apart.
    fn expand(&mut self) {
        match self.0.pop() {
            Some(Part::Subtree(node)) => {
                self.0.extend(node.right.iter().map(Part::Subtree));
                self.0.push(Part::Entry(node));
                self.0.extend(node.left.iter().map(Part::Subtree));
            }
            other => self.0.extend(other),
        }
    }
}

type Next<'a, K, V> = Option<&'a Node<K, V>>;

/// The next entries of two maps after the subtrees that both have.
fn skip_what_is_shared<'a, K, V>(
    left: &mut Ahead<'a, K, V>,
    right: &mut Ahead<'a, K, V>,
) -> (Next<'a, K, V>, Next<'a, K, V>) {
    loop {
        match (left.0.last(), right.0.last()) {
            (Some(Part::Subtree(a)), Some(Part::Subtree(b))) if Arc::ptr_eq(a, b) => {
                left.0.pop();
                right.0.pop();
            }
            (Some(Part::Subtree(a)), Some(Part::Subtree(b))) if a.height < b.height => right.expand(),
            (Some(Part::Subtree(_)), _) => left.expand(),
            (_, Some(Part::Subtree(_))) => right.expand(),
            (Some(Part::Entry(a)), Some(Part::Entry(b))) => return (Some(a), Some(b)),
            (Some(Part::Entry(a)), None) => return (Some(a), None),
            (None, Some(Part::Entry(b))) => return (None, Some(b)),
            (None, None) => return (None, None),
        }
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// The value that was there before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        let old = insert(&mut self.root, key, value);
        self.len += usize::from(old.is_none());
        old
    }
    pub fn remove(&mut self, key: &K) -> Option<V> {
        // Nothing is copied for a key that is not there.
        if !self.contains_key(key) {
            return None;
        }
        self.len -= 1;
        remove(&mut self.root, key)
    }
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let dropped: Vec<K> = self.iter().filter(|(k, v)| !keep(k, v)).map(|(k, _)| k.clone()).collect();
        for key in &dropped {
            self.remove(key);
        }
    }
}

/// Goes through a map in order.
pub struct Iter<'a, K, V> {
    /// Nodes whose own entry and right subtree are still to come.
    stack: Vec<&'a Node<K, V>>,
}

impl<'a, K, V> Iter<'a, K, V> {
    fn descend(&mut self, mut link: &'a Link<K, V>) {
        while let Some(node) = link {
            self.stack.push(node);
            link = &node.left;
        }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);
    fn next(&mut self) -> Option<Self::Item> {
        let node = self.stack.pop()?;
        self.descend(&node.right);
        Some((&node.key, &node.value))
    }
}

impl<'a, K, V> IntoIterator for &'a SharedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<K: Ord + Clone, V: Clone> FromIterator<(K, V)> for SharedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SharedMap::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SharedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        if self.len != other.len {
            return false;
        }
        let (mut left, mut right) = (Ahead::new(&self.root), Ahead::new(&other.root));
        loop {
            match skip_what_is_shared(&mut left, &mut right) {
                (None, None) => return true,
                (Some(a), Some(b)) if a.key == b.key && a.value == b.value => {
                    left.0.pop();
                    right.0.pop();
                }
                _ => return false,
            }
        }
    }
}

impl<K: Eq, V: Eq> Eq for SharedMap<K, V> {}

impl<K: Ord, V: Ord> PartialOrd for SharedMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V: Ord> Ord for SharedMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.is_same(other) { Ordering::Equal } else { self.iter().cmp(other.iter()) }
    }
}

impl<K: Hash, V: Hash> Hash for SharedMap<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len);
        for entry in self {
            entry.hash(state);
        }
    }
}

impl<K: std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for SharedMap<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn check_shape(link: &Link<u64, u64>) -> u8 {
        let Some(node) = link else { return 0 };
        let (left, right) = (check_shape(&node.left), check_shape(&node.right));
        assert!(left.abs_diff(right) <= 1, "out of balance");
        assert_eq!(node.height, 1 + left.max(right));
        node.height
    }

    #[test]
    fn it_behaves_as_a_map_and_old_copies_stay_as_they_were() {
        // A linear congruential generator.
        let mut state = 7u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut map = SharedMap::new();
        let mut expected = BTreeMap::new();
        let mut copies = Vec::new();
        for round in 0..4_000u64 {
            let key = below(200);
            if below(3) > 0 {
                assert_eq!(map.insert(key, round), expected.insert(key, round));
            } else {
                assert_eq!(map.remove(&key), expected.remove(&key));
            }
            if round % 100 == 0 {
                copies.push((map.clone(), expected.clone()));
            }
            check_shape(&map.root);
            assert_eq!(map.len(), expected.len());
        }
        copies.push((map, expected));
        for (map, expected) in &copies {
            assert!(map.iter().eq(expected.iter()));
            assert_eq!(map.last_key_value(), expected.last_key_value());
            assert!((0..200).all(|k| map.get(&k) == expected.get(&k)));
            assert_eq!(*map, expected.clone().into_iter().collect());
        }
        for (a, b) in copies.iter().zip(&copies[1..]) {
            assert_eq!(a.0.cmp(&b.0), a.1.cmp(&b.1));
            assert_eq!(a.0 == b.0, a.1 == b.1);
            let all: std::collections::BTreeSet<u64> = a.1.keys().chain(b.1.keys()).copied().collect();
            let differing: Vec<u64> = all.into_iter().filter(|k| a.1.get(k) != b.1.get(k)).collect();
            assert!(a.0.differing_keys(&b.0).into_iter().eq(&differing));
        }
        let (mut map, mut expected) = copies.remove(20);
        map.retain(|k, _| k % 3 == 0);
        expected.retain(|k, _| k % 3 == 0);
        assert!(map.iter().eq(expected.iter()));
    }
}
