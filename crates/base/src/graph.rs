//! Strongly connected components of an implicit graph, by Tarjan's algorithm without recursion.

/// A strongly connected component; components come in an order in which successors precede predecessors.
pub struct Component {
    pub members: Vec<usize>,
    /// More than one member, or an edge from the only one to itself.
    pub has_cycle: bool,
}

/// The components reachable from `roots` in a graph with the nodes `0..n`.
pub fn components(n: usize, roots: &[usize], successors: impl Fn(usize) -> Vec<usize>) -> Vec<Component> {
    const NEW: usize = usize::MAX;
    struct Frame {
        node: usize,
        successors: Vec<usize>,
        next: usize,
    }
    let mut index = vec![NEW; n];
    let mut low = vec![0; n];
    let mut is_done = vec![false; n];
    let mut n_visited = 0;
    let (mut stack, mut frames, mut result) = (Vec::new(), Vec::<Frame>::new(), Vec::new());
    for &root in roots {
        let mut entered = (index[root] == NEW).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                index[node] = n_visited;
                low[node] = n_visited;
                n_visited += 1;
                stack.push(node);
                frames.push(Frame { node, successors: successors(node), next: 0 });
            }
            let Some(frame) = frames.last_mut() else { break };
            let node = frame.node;
            if let Some(&t) = frame.successors.get(frame.next) {
                frame.next += 1;
                if index[t] == NEW {
                    entered = Some(t);
                } else if !is_done[t] {
                    low[node] = low[node].min(index[t]);
                }
                continue;
            }
            let has_self_loop = frame.successors.contains(&node);
            frames.pop();
            if let Some(parent) = frames.last() {
                low[parent.node] = low[parent.node].min(low[node]);
            }
            if low[node] == index[node] {
                let mut members = Vec::new();
                while let Some(member) = stack.pop() {
                    is_done[member] = true;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                let has_cycle = members.len() > 1 || has_self_loop;
                result.push(Component { members, has_cycle });
            }
        }
    }
    result
}

/// The component number of each node; `usize::MAX` for nodes that are not reached.
pub fn component_of(n: usize, components: &[Component]) -> Vec<usize> {
    let mut of = vec![usize::MAX; n];
    for (number, component) in components.iter().enumerate() {
        for &member in &component.members {
            of[member] = number;
        }
    }
    of
}
