//! Büchi automata: the same [`Nwa`](crate::Nwa), accepting an infinite word if some run over it
//! passes accepting states infinitely often.

pub mod lasso;
