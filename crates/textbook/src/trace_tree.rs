//! A traced search as a tree, printed as a diagram of characters, as a list of steps, or as JSON.

use super::tracer::VisitedBy;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Score, UNIT, WIN};
use serde_json::{Value, json};

/// The result of a visit, in the view of Max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisitResult {
    /// The window of the call; `None` in a policy, whose values are exact, and for means of playouts.
    pub window: Option<(Score, Score)>,
    /// The value that was returned.
    pub value: Score,
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
        format!("{}{}", format_score(self.value), self.window_label())
    }

    /// `[min,max]`; nothing without a window.
    pub fn window_label(&self) -> String {
        self.window.map_or_else(String::new, |(low, high)| format!("[{},{}]", format_score(low), format_score(high)))
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
        let playouts = self.playouts.map_or_else(String::new, |playouts| format!(" ({playouts} playouts)"));
        technique + &playouts + if self.from_table { " (table)" } else { "" }
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

/// A node of a traced search with its subtree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceTree {
    /// Name of the move that leads here, if it has one.
    pub name: Option<String>,
    /// Whether Max is to move.
    pub max: bool,
    /// `None` if the subtree was pruned.
    pub visit: Option<VisitResult>,
    /// Value of a pruned leaf, which the search did not see.
    pub static_value: Option<Score>,
    /// Whether the node lies on the principal variation.
    pub on_pv: bool,
    /// In a graph, the number of a position with several parents.
    pub number: Option<usize>,
    /// In a graph, whether this refers to the node of the same number, which is drawn elsewhere.
    pub is_reference: bool,
    /// The children in the order in which they were searched.
    pub children: Vec<TraceTree>,
}

impl TraceTree {
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
        for (index, child) in self.children.iter().enumerate() {
            let last = index + 1 == self.children.len();
            let (branch, trunk) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            child.write_diagram(&format!("{indent}{branch}"), &format!("{indent}{trunk}"), text);
        }
    }

    /// The tree as a list of steps, one a line: entering, pruning and leaving nodes, each with its ply.
    pub fn steps(&self) -> String {
        let mut text = String::new();
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
        self.children.iter().for_each(|child| child.write_steps(ply + 1, text));
        text.push_str(&format!("leave {ply}{name} {} {}\n", visit.sign(), format_score(visit.value)));
    }

    /// The tree as nested objects; a win is `"W"`, a loss `"L"`.
    pub fn json(&self) -> Value {
        let Some(visit) = self.visit else {
            return json!({ "move": self.name, "pruned": true });
        };
        if self.is_reference {
            return json!({ "move": self.name, "same": self.number, "main": self.on_pv });
        }
        let children: Vec<Value> = self.children.iter().map(TraceTree::json).collect();
        let mut node = json!({
            "move": self.name,
            "player": if self.max { "max" } else { "min" },
            "value": json_score(visit.value),
            "bound": visit.bound_name(),
            "table": visit.from_table,
            "main": self.on_pv,
            "children": children,
        });
        let optional = [
            ("window", visit.window.map(|(low, high)| json!([json_score(low), json_score(high)]))),
            ("technique", visit.visited_by.map(|technique| json!(technique.to_string()))),
            ("playouts", visit.playouts.map(|playouts| json!(playouts))),
            ("number", self.number.map(|number| json!(number))),
        ];
        if let Some(fields) = node.as_object_mut() {
            fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))));
        }
        node
    }
}

/// A score as the textbook writes it: `W`, `L`, or units with at most two decimals.
pub fn format_score(score: Score) -> String {
    match score {
        WIN.. => "W".into(),
        _ if score <= -WIN => "L".into(),
        _ => format!("{}", f64::from(score) / f64::from(UNIT)),
    }
}

/// A score as JSON: `"W"`, `"L"`, or a number of units.
pub fn json_score(score: Score) -> Value {
    match score {
        _ if score.abs() >= WIN => json!(format_score(score)),
        _ if score % UNIT == 0 => json!(score / UNIT),
        _ => json!(f64::from(score) / f64::from(UNIT)),
    }
}
