//! Large trees made small enough to read: pruned siblings become one mark (`+5`), and so do moves and subtrees for which
//! there is no room. The principal variation is kept longest.

use super::trace_tree::{Folded, TraceTree};

/// Columns of a drawing that fits a page: 20 leaves are less than 1,600 pixels wide.
const PAGE_COLUMNS: usize = 20;
/// Moves that a node of the principal variation shows at least, marks included, where it has so many.
const FEWEST_MOVES: usize = 3;

/// How much of a tree is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folding {
    /// Plies below the root; all if `None`.
    pub plies: Option<usize>,
    /// Nodes and marks at most; as many as fit a page if `None`.
    pub most_nodes: Option<usize>,
}

/// A child in the folded tree.
enum Child<'a> {
    /// An index in [`Folder::nodes`].
    Node(usize),
    /// A mark for so many moves, in the style of the first of them.
    Mark(&'a TraceTree, usize),
}

struct Node<'a> {
    node: &'a TraceTree,
    ply: usize,
    /// Empty while the subtree is folded.
    children: Vec<Child<'a>>,
}

struct Folder<'a> {
    nodes: Vec<Node<'a>>,
    most_plies: usize,
    /// Columns and nodes that may still be added.
    columns_left: usize,
    nodes_left: usize,
}

/// The tree as far as it is drawn. A tree that needs no folding is kept with the outlines of its pruned subtrees.
pub fn folded(tree: &TraceTree, Folding { plies, most_nodes }: Folding) -> TraceTree {
    let fits = most_nodes.map_or_else(|| columns(tree) <= PAGE_COLUMNS, |most| drawn_nodes(tree) <= most);
    if plies.is_none() && fits {
        return tree.clone();
    }
    let mut folder = Folder {
        nodes: vec![Node { node: tree, ply: 0, children: Vec::new() }],
        most_plies: plies.unwrap_or(usize::MAX),
        columns_left: if most_nodes.is_some() { usize::MAX - 1 } else { PAGE_COLUMNS - 1 },
        nodes_left: most_nodes.map_or(usize::MAX, |most| most.saturating_sub(1)),
    };
    folder.unfold_main_line();
    // The rest ply by ply, each node with all of its moves.
    let mut index = 0;
    while index < folder.nodes.len() {
        let room = folder.room();
        if folder.nodes[index].children.is_empty() && items(folder.nodes[index].node) <= room {
            folder.unfold(index, room);
        }
        index += 1;
    }
    folder.tree(0)
}

/// Columns of the whole drawing.
fn columns(tree: &TraceTree) -> usize {
    tree.drawn_children().filter(|child| !child.is_reference).map(columns).sum::<usize>().max(1)
}

fn drawn_nodes(tree: &TraceTree) -> usize {
    1 + tree.drawn_children().map(drawn_nodes).sum::<usize>()
}

/// Children, pruned ones counted together.
fn items(node: &TraceTree) -> usize {
    let searched = node.drawn_children().filter(|child| child.visit.is_some()).count();
    searched + usize::from(node.drawn_children().any(|child| child.visit.is_none()))
}

impl<'a> Folder<'a> {
    /// Children that a node may still get: they take its own column and the free ones.
    fn room(&self) -> usize {
        self.nodes_left.min(self.columns_left + 1)
    }

    /// Unfolds the nodes of the principal variation. Each takes at most half of the room, so that some is left for those
    /// below it.
    fn unfold_main_line(&mut self) {
        let mut main = Some(0);
        while let Some(index) = main {
            let room = self.room();
            let main_child = self.nodes[index].node.children.iter().find(|child| child.on_pv);
            let goes_on = main_child.is_some_and(|child| !child.children.is_empty());
            self.unfold(index, if goes_on { room.min(FEWEST_MOVES.max(room / 2)) } else { room });
            let is_main = |&child: &usize| self.nodes[child].node.on_pv;
            main = self.nodes[index].children.iter().filter_map(Child::node).find(is_main);
        }
    }

    /// Shows a node's children, at most this many; searched moves beyond become a mark.
    fn unfold(&mut self, index: usize, most: usize) {
        let Node { node, ply, .. } = self.nodes[index];
        let (searched, pruned): (Vec<_>, Vec<_>) = node.drawn_children().partition(|child| child.visit.is_some());
        let for_searched = most.saturating_sub(usize::from(!pruned.is_empty()));
        let is_cut_short = searched.len() > for_searched;
        let kept = if is_cut_short { for_searched.saturating_sub(1) } else { searched.len() };
        if ply >= self.most_plies || (kept == 0 && !searched.is_empty()) || most == 0 {
            return;
        }
        // The move of the principal variation is among those kept.
        let main = searched.iter().position(|child| child.on_pv).filter(|&main| main >= kept);
        let is_kept = |place: usize| place < kept - usize::from(main.is_some()) || main == Some(place);
        let mut children = Vec::new();
        for (_, &child) in searched.iter().enumerate().filter(|(place, _)| is_kept(*place)) {
            children.push(self.add(child, ply + 1));
        }
        if let Some((_, first)) = searched.iter().enumerate().find(|(place, _)| !is_kept(*place)) {
            children.push(Child::Mark(first, searched.len() - kept));
        }
        match pruned.as_slice() {
            [] => {}
            [only] => children.push(self.add(only, self.most_plies)),
            [first, ..] => children.push(Child::Mark(first, pruned.len())),
        }
        self.nodes_left = self.nodes_left.saturating_sub(children.len());
        self.columns_left = self.columns_left.saturating_sub(children.len().saturating_sub(1));
        self.nodes[index].children = children;
    }

    fn add(&mut self, node: &'a TraceTree, ply: usize) -> Child<'a> {
        self.nodes.push(Node { node, ply, children: Vec::new() });
        Child::Node(self.nodes.len() - 1)
    }

    fn tree(&self, index: usize) -> TraceTree {
        let Node { node, children, .. } = &self.nodes[index];
        let child = |child: &Child<'a>| match *child {
            Child::Node(index) => self.tree(index),
            Child::Mark(first, count) => {
                TraceTree { folded: Folded::Moves(count), name: None, on_pv: false, ..first.without_children() }
            }
        };
        let hidden = if children.is_empty() { drawn_nodes(node) - 1 } else { 0 };
        let folded = if hidden > 0 { Folded::Below(hidden) } else { Folded::Nothing };
        TraceTree { children: children.iter().map(child).collect(), folded, ..node.without_children() }
    }
}

impl Child<'_> {
    fn node(&self) -> Option<usize> {
        if let Child::Node(index) = *self { Some(index) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace_tree::VisitResult;
    use crate::units::Units;
    use flipside_core::search::transposition_table::Bound;

    fn visited(on_pv: bool, children: Vec<TraceTree>) -> TraceTree {
        let visit = VisitResult {
            window: None,
            value: Units(0.0),
            bound: Bound::Exact,
            from_table: false,
            visited_by: None,
            playouts: None,
        };
        TraceTree { visit: Some(visit), on_pv, children, ..TraceTree::default() }
    }

    /// The last move is the best one in each node; so many moves of each node were pruned.
    fn grown(branching: usize, plies: usize, pruned: usize, on_pv: bool) -> TraceTree {
        if plies == 0 {
            return visited(on_pv, Vec::new());
        }
        let child = |index| grown(branching, plies - 1, pruned, on_pv && index + 1 == branching);
        let rest = (0..pruned).map(|_| TraceTree { children: vec![TraceTree::default()], ..TraceTree::default() });
        visited(on_pv, (0..branching).map(child).chain(rest).collect())
    }

    fn marks(tree: &TraceTree) -> Vec<Folded> {
        std::iter::once(tree.folded)
            .chain(tree.children.iter().flat_map(marks))
            .filter(|mark| *mark != Folded::Nothing)
            .collect()
    }

    #[test]
    fn a_small_tree_stays_as_it_is() {
        let tree = grown(3, 2, 1, true);
        assert!(folded(&tree, Folding::default()) == tree);
        let wide = grown(30, 2, 0, true);
        assert!(folded(&wide, Folding { most_nodes: Some(1000), plies: None }) == wide);
    }

    #[test]
    fn any_tree_fits_a_page_and_keeps_its_main_line() {
        for (branching, plies, pruned) in [(2, 10, 0), (3, 6, 5), (9, 4, 1), (30, 2, 0), (225, 2, 3), (21, 1, 0)] {
            let tree = grown(branching, plies, pruned, true);
            let small = folded(&tree, Folding::default());
            assert!((10..=PAGE_COLUMNS).contains(&columns(&small)), "{branching}^{plies}: {}", columns(&small));
            let mut node = &small;
            let mut depth = 0;
            while let Some(next) = node.children.iter().find(|child| child.on_pv) {
                (node, depth) = (next, depth + 1);
            }
            assert!(depth >= plies.min(4), "{branching}^{plies}: {depth}");
        }
    }

    #[test]
    fn no_node_is_lost_from_the_marks() {
        let small = folded(&grown(5, 1, 5, true), Folding { plies: None, most_nodes: Some(6) });
        assert_eq!(marks(&small), [Folded::Moves(2), Folded::Moves(5)], "three of five moves, and five pruned ones");
        let top = folded(&grown(2, 4, 0, true), Folding { plies: Some(1), most_nodes: None });
        assert_eq!(marks(&top), [Folded::Below(14), Folded::Below(14)]);
        let only_root = folded(&grown(2, 2, 0, true), Folding { plies: Some(0), most_nodes: None });
        assert_eq!(marks(&only_root), [Folded::Below(6)]);
        for most in 1..40 {
            let small = folded(&grown(3, 3, 2, true), Folding { plies: None, most_nodes: Some(most) });
            assert!(drawn_nodes(&small) <= most, "{most}: {}", drawn_nodes(&small));
        }
    }
}
