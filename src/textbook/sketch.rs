//! A searched tree as it is shown: as a diagram of characters, as a list of events, as JSON.

use crate::search::types::{Score, UNIT, WIN};
use serde_json::{Value, json};

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is the value.
    Exact,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
}

impl Mark {
    /// `=`, `>=` or `<=`.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Exact => "=",
            Mark::AtLeast => ">=",
            Mark::AtMost => "<=",
        }
    }

    /// The words of the JSON trace.
    fn words(self) -> &'static str {
        match self {
            Mark::Exact => "exact",
            Mark::AtLeast => "at least",
            Mark::AtMost => "at most",
        }
    }
}

/// What a visit found, in the view of Max.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The window it was called with.
    pub window: (Score, Score),
    /// Its value.
    pub value: Score,
    /// What the value says.
    pub mark: Mark,
    /// True if the table knew the value.
    pub recalled: bool,
}

impl Seen {
    /// `value[min,max]`.
    pub fn worded(&self) -> String {
        format!("{}[{},{}]", shown(self.value), shown(self.window.0), shown(self.window.1))
    }
}

/// A node to draw, with what is below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// Of the move that leads here.
    pub name: Option<String>,
    /// True when Max is to move.
    pub max: bool,
    /// None where the subtree was pruned.
    pub seen: Option<Seen>,
    /// For a pruned leaf: what nobody looked at.
    pub static_value: Option<Score>,
    /// Whether the line of best play goes through here.
    pub main: bool,
    /// In the order in which they were searched.
    pub children: Vec<Sketch>,
}

impl Sketch {
    /// The tree as a diagram: `value[min,max]` and a mark at each visited node, `X` for each pruned subtree.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        self.draw("", "", &mut text);
        text
    }

    fn label(&self) -> String {
        self.name.as_ref().map_or_else(String::new, |name| format!("{name}:"))
    }

    fn draw(&self, lead: &str, below: &str, text: &mut String) {
        let label = self.label();
        let Some(seen) = self.seen else {
            text.push_str(&format!("{lead}{label}X\n"));
            return;
        };
        let kind = match (self.children.is_empty(), self.max) {
            (true, _) => "",
            (_, true) => "max ",
            (_, false) => "min ",
        };
        let table = if seen.recalled { " (table)" } else { "" };
        text.push_str(&format!("{lead}{label}{kind}{} {}{table}\n", seen.worded(), seen.mark.sign()));
        for (index, child) in self.children.iter().enumerate() {
            let last = index + 1 == self.children.len();
            let (branch, trunk) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            child.draw(&format!("{below}{branch}"), &format!("{below}{trunk}"), text);
        }
    }

    /// One line an event: entering, pruning, leaving, with the distance from the root.
    pub fn steps(&self) -> String {
        let mut text = String::new();
        self.tell(0, &mut text);
        text
    }

    fn tell(&self, ply: usize, text: &mut String) {
        let label = self.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let Some(seen) = self.seen else {
            text.push_str(&format!("prune {ply}{label}\n"));
            return;
        };
        let (low, high) = seen.window;
        text.push_str(&format!("enter {ply}{label} [{},{}]\n", shown(low), shown(high)));
        self.children.iter().for_each(|child| child.tell(ply + 1, text));
        text.push_str(&format!("leave {ply}{label} {} {}\n", seen.mark.sign(), shown(seen.value)));
    }

    /// The tree as nested objects; a win is `"W"`, a loss `"L"`.
    pub fn json(&self) -> Value {
        let Some(seen) = self.seen else {
            return json!({ "move": self.name, "pruned": true });
        };
        let children: Vec<Value> = self.children.iter().map(Sketch::json).collect();
        json!({
            "move": self.name,
            "player": if self.max { "max" } else { "min" },
            "window": [number(seen.window.0), number(seen.window.1)],
            "value": number(seen.value),
            "bound": seen.mark.words(),
            "table": seen.recalled,
            "main": self.main,
            "children": children,
        })
    }
}

/// A value as the textbook writes it: `W`, `L`, or units with at most two decimals.
pub fn shown(score: Score) -> String {
    match score {
        WIN.. => "W".into(),
        _ if score <= -WIN => "L".into(),
        _ => format!("{}", f64::from(score) / f64::from(UNIT)),
    }
}

/// The same for JSON.
pub fn number(score: Score) -> Value {
    match score {
        _ if score.abs() >= WIN => json!(shown(score)),
        _ if score % UNIT == 0 => json!(score / UNIT),
        _ => json!(f64::from(score) / f64::from(UNIT)),
    }
}
