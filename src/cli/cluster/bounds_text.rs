//! Bounds as text.

use flipside_core::games::reversi::proof::Bounds;

/// `value +4`, `value between -2 and +6`, `value at least +2`.
pub fn bounds_text(bounds: Bounds) -> String {
    match bounds {
        Bounds { lower, upper } if lower == upper => format!("value {lower:+}"),
        Bounds { lower, upper: 64 } if lower > -64 => format!("value at least {lower:+}"),
        Bounds { lower: -64, upper } if upper < 64 => format!("value at most {upper:+}"),
        Bounds { lower: -64, upper: 64 } => "value unknown".into(),
        Bounds { lower, upper } => format!("value between {lower:+} and {upper:+}"),
    }
}
