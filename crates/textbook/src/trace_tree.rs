//! A traced search as a tree, printed as a diagram of characters, as a list of steps, or as JSON.

use super::tracer::VisitedBy;
use super::units::Units;
use flipside_core::search::transposition_table::Bound;
use serde_json::{Value, json};

/// The result of a visit, in the view of Max.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisitResult {
    /// The window of the call; `None` in a policy, whose values are exact, and for means of playouts.
    pub window: Option<(Units, Units)>,
    /// The value that was returned.
    pub value: Units,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Whether the value comes from the transposition table.
    pub from_table: bool,
    /// The technique that visits it, unless the visit is a full search of a move.
    pub visited_by: Option<VisitedBy>,
    /// The number of playouts whose mean the value is; `None` for other values.
    pub playouts: Option<u64>,
}

impl VisitResult {
    /// `value[min,max]`.
    pub fn label(&self) -> String {
        format!("{}{}", self.value, self.window_label())
    }

    /// `[min,max]`; nothing without a window.
    pub fn window_label(&self) -> String {
        self.window.map_or_else(String::new, |(low, high)| format!("[{low},{high}]"))
    }

    /// `=`, `>=` or `<=`; nothing without a window.
    fn sign(&self) -> &'static str {
        match self.bound {
            _ if self.window.is_none() => "",
            Bound::Exact => "=",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        }
    }

    /// `at least ` or `at most ` before the value; empty for an exact value.
    pub fn bound_words(&self) -> &'static str {
        match self.bound {
            _ if self.window.is_none() => "",
            Bound::Exact => "",
            Bound::Lower => "at least ",
            Bound::Upper => "at most ",
        }
    }

    /// The technique that visits the node and the source of its value, in parentheses.
    fn remarks(&self) -> String {
        let technique = self.visited_by.map_or_else(String::new, |technique| format!(" ({technique})"));
        let playouts = self.playouts.map_or_else(String::new, |count| format!(" ({})", playouts(count)));
        technique + &playouts + if self.from_table { " (table)" } else { "" }
    }

    /// What a picture shows beside the value: the window, or the playouts.
    pub fn circumstances(&self) -> String {
        self.playouts.map_or_else(|| self.window_label(), playouts)
    }

    /// The bound in the JSON trace.
    fn bound_name(&self) -> &'static str {
        match self.bound {
            Bound::Exact => "exact",
            Bound::Lower => "at least",
            Bound::Upper => "at most",
        }
    }
}

/// `1 playout`, `2 playouts`.
fn playouts(count: u64) -> String {
    if count == 1 { "1 playout".into() } else { format!("{count} playouts") }
}

/// The reason of a cutoff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// A sentence with the numbers.
    pub reason: String,
    /// The index of the child whose value passes the bound.
    pub value_node: usize,
    /// The index of the node whose value is the bound; `None` for the window of the root or of a technique, and for a win.
    pub bound_node: Option<usize>,
}

impl Cut {
    fn json(&self) -> Value {
        let Cut { reason, value_node, bound_node } = self;
        match bound_node {
            Some(bound_node) => json!({ "reason": reason, "value_node": value_node, "bound_node": bound_node }),
            None => json!({ "reason": reason, "value_node": value_node }),
        }
    }
}

/// A search of the root that did not find its value.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedSearch {
    /// The tree that it searched.
    pub tree: TraceTree,
    /// A sentence with the numbers: which side of its window the value passed, and the window of the next search.
    pub reason: String,
}

impl FailedSearch {
    fn json(&self) -> Value {
        json!({ "reason": self.reason, "tree": self.tree.json() })
    }
}

/// What a drawing leaves out at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folded {
    /// Nothing.
    #[default]
    Nothing,
    /// So many nodes below it.
    Below(usize),
    /// The node is a mark for so many moves.
    Moves(usize),
}

/// A node of a traced search with its subtree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceTree {
    /// Name of the move that leads here, if it has one.
    pub name: Option<String>,
    /// Whether Max is to move.
    pub max: bool,
    /// `None` if the subtree was pruned.
    pub visit: Option<VisitResult>,
    /// Its number in the order of the search, the root's 0. A pruned subtree has one number.
    pub index: usize,
    /// Why the rest of its moves was pruned.
    pub cut: Option<Cut>,
    /// If its value comes from the transposition table, the index of the node that stored it, where this search did.
    pub stored_by: Option<usize>,
    /// Value of a pruned leaf, which the search did not see.
    pub static_value: Option<Units>,
    /// Whether the node lies on the principal variation.
    pub on_pv: bool,
    /// Whether this is a leaf that the search visits once more right afterwards, with a wider window.
    pub is_searched_again: bool,
    /// Whether this is another visit of the move before it.
    pub is_again: bool,
    /// In a graph, the number of a position with several parents.
    pub number: Option<usize>,
    /// In a graph, whether this refers to the node of the same number, which is drawn elsewhere.
    pub is_reference: bool,
    /// At the root, the earlier searches of the same iteration, whose windows were too narrow.
    pub failed: Vec<FailedSearch>,
    /// What is left out here.
    pub folded: Folded,
    /// The children in the order in which they were searched.
    pub children: Vec<TraceTree>,
}

impl TraceTree {
    /// The tree with its nodes numbered.
    pub(super) fn numbered(mut self) -> TraceTree {
        self.number_from(&mut 0, false);
        self
    }

    fn number_from(&mut self, next: &mut usize, inside_pruned: bool) {
        *next += usize::from(!inside_pruned);
        self.index = *next - 1;
        let inside_pruned = self.visit.is_none();
        self.children.iter_mut().for_each(|child| child.number_from(next, inside_pruned));
    }

    /// The node alone.
    pub(super) fn without_children(&self) -> TraceTree {
        let TraceTree { ref name, ref cut, ref failed, children: _, .. } = *self;
        TraceTree { name: name.clone(), cut: cut.clone(), failed: failed.clone(), children: Vec::new(), ..*self }
    }

    /// The children to draw: of several visits of a leaf only the last one.
    pub(super) fn drawn_children(&self) -> impl Iterator<Item = &TraceTree> {
        self.children.iter().filter(|child| !child.is_searched_again)
    }

    /// The tree as a diagram: value, window and bound at each visited node, `X` for each pruned subtree.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        self.write_diagram("", "", &mut text);
        text
    }

    /// `prefix` precedes this node, `indent` the nodes below it.
    fn write_diagram(&self, prefix: &str, indent: &str, text: &mut String) {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{name}:"));
        let Some(visit) = self.visit else {
            text.push_str(&format!("{prefix}{name}X\n"));
            return;
        };
        if self.is_reference {
            text.push_str(&format!("{prefix}{name}-> #{}\n", self.number.unwrap_or_default()));
            return;
        }
        let number = self.number.map_or_else(String::new, |number| format!("#{number} "));
        let player = match (self.children.is_empty(), self.max) {
            (true, _) => "",
            (_, true) => "max ",
            (_, false) => "min ",
        };
        let found = [visit.label(), visit.sign().to_string()].join(" ");
        text.push_str(&format!("{prefix}{name}{number}{player}{}{}\n", found.trim_end(), visit.remarks()));
        let mut children = self.drawn_children().peekable();
        while let Some(child) = children.next() {
            let (branch, trunk) = if children.peek().is_none() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            child.write_diagram(&format!("{indent}{branch}"), &format!("{indent}{trunk}"), text);
        }
    }

    /// The tree as a list of steps, one a line: entering, cutting, pruning and leaving nodes, each with its ply. The
    /// searches of the root follow each other, with the reason why it is searched again.
    pub fn steps(&self) -> String {
        let mut text = String::new();
        for FailedSearch { tree, reason } in &self.failed {
            tree.write_steps(0, &mut text);
            text.push_str(&format!("again 0 {reason}\n"));
        }
        self.write_steps(0, &mut text);
        text
    }

    fn write_steps(&self, ply: usize, text: &mut String) {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let Some(visit) = self.visit else {
            text.push_str(&format!("prune {ply}{name}\n"));
            return;
        };
        let technique = visit.visited_by.map_or_else(String::new, |technique| format!(" ({technique})"));
        text.push_str(&format!("enter {ply}{name} {}{technique}\n", visit.window_label()));
        let (searched, pruned): (Vec<_>, Vec<_>) = self.children.iter().partition(|child| child.visit.is_some());
        searched.iter().for_each(|child| child.write_steps(ply + 1, text));
        if let Some(Cut { reason, .. }) = &self.cut {
            text.push_str(&format!("cut {ply}{name} {reason}\n"));
        }
        pruned.iter().for_each(|child| child.write_steps(ply + 1, text));
        text.push_str(&format!("leave {ply}{name} {} {}\n", visit.sign(), visit.value));
    }

    /// The tree as nested objects; a win is `"W"`, a loss `"L"`.
    pub fn json(&self) -> Value {
        let Some(visit) = self.visit else {
            return json!({ "index": self.index, "move": self.name, "pruned": true });
        };
        if self.is_reference {
            return json!({ "index": self.index, "move": self.name, "same": self.number, "main": self.on_pv });
        }
        let children: Vec<Value> = self.children.iter().map(TraceTree::json).collect();
        let mut node = json!({
            "index": self.index,
            "move": self.name,
            "player": if self.max { "max" } else { "min" },
            "value": visit.value.json(),
            "bound": visit.bound_name(),
            "table": visit.from_table,
            "main": self.on_pv,
            "children": children,
        });
        let failed: Vec<Value> = self.failed.iter().map(FailedSearch::json).collect();
        let optional = [
            ("failed", (!failed.is_empty()).then_some(Value::Array(failed))),
            ("window", visit.window.map(|(low, high)| json!([low.json(), high.json()]))),
            ("technique", visit.visited_by.map(|technique| json!(technique.to_string()))),
            ("playouts", visit.playouts.map(|playouts| json!(playouts))),
            ("cut", self.cut.as_ref().map(Cut::json)),
            ("again", self.is_again.then_some(json!(true))),
            ("table_node", self.stored_by.map(|node| json!(node))),
            ("number", self.number.map(|number| json!(number))),
        ];
        if let Some(fields) = node.as_object_mut() {
            fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))));
        }
        node
    }
}
