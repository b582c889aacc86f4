//! The textbook's searchers written plainly from their descriptions, and independent of the engine's: values and windows
//! are those of Max, in hundredths of a unit, and every searcher plays its moves on one board. After Knuth and Moore
//! (1975), Fishburn (1983, fail-soft), Pearl (1980, scout) and Marsland (1983, PVS).

/// Better than every value; a loss is its negative.
pub const WIN: i32 = 30_000;
/// The widest window.
pub const FULL: (i32, i32) = (-WIN, WIN);

/// A position that is searched in place.
pub trait Board {
    /// Its value for Max if the search ends here, because of the depth or of the rules.
    fn leaf(&self, depth: u32) -> Option<i32>;
    /// The names of the moves.
    fn moves(&self) -> Vec<String>;
    /// Plays the move of this number.
    fn play(&mut self, number: usize);
    /// Takes the last move back.
    fn take_back(&mut self);
}

/// What a search does.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// It enters the position after a move (none at the root) with a window.
    Enter(Option<String>, (i32, i32)),
    /// It leaves out a move.
    Prune(String),
    /// It returns a value.
    Leave(i32),
}

/// A searcher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Searcher {
    Minimax,
    FailSoft,
    FailHard,
    Negamax,
    Scout,
}

/// The moves of a node with what is known of it so far.
struct Node {
    max: bool,
    alpha: i32,
    beta: i32,
    depth: u32,
}

/// A search that lists what it does.
pub struct Search<'a, B> {
    pub board: &'a mut B,
    pub searcher: Searcher,
    /// Whether the last move comes first.
    pub reversed: bool,
    pub events: Vec<Event>,
}

impl<B: Board> Search<'_, B> {
    /// The value of the present position with Max or Min to move.
    pub fn root(&mut self, max: bool, window: (i32, i32), depth: u32) -> i32 {
        self.visit(None, max, window, depth)
    }

    fn visit(&mut self, name: Option<&str>, max: bool, (alpha, beta): (i32, i32), depth: u32) -> i32 {
        self.events.push(Event::Enter(name.map(str::to_string), (alpha, beta)));
        let node = Node { max, alpha, beta, depth };
        let value = self.board.leaf(depth).unwrap_or_else(|| match self.searcher {
            Searcher::Minimax => self.minimax(&node),
            Searcher::FailSoft => self.fail_soft(node),
            Searcher::FailHard => self.fail_hard(node),
            Searcher::Negamax if max => self.negamax((alpha, beta), &node),
            Searcher::Negamax => -self.negamax((-beta, -alpha), &node),
            Searcher::Scout => self.scout(node),
        });
        self.events.push(Event::Leave(value));
        value
    }

    /// The moves in the order of the search, by number and name.
    fn moves(&self) -> Vec<(usize, String)> {
        let mut moves: Vec<_> = self.board.moves().into_iter().enumerate().collect();
        if self.reversed {
            moves.reverse();
        }
        moves
    }

    /// The value after a move of the node, searched with this window.
    fn child(&mut self, node: &Node, (number, name): &(usize, String), window: (i32, i32)) -> i32 {
        self.board.play(*number);
        let value = self.visit(Some(name), !node.max, window, node.depth - 1);
        self.board.take_back();
        value
    }

    fn prune(&mut self, moves: &[(usize, String)]) {
        self.events.extend(moves.iter().map(|(_, name)| Event::Prune(name.clone())));
    }

    fn minimax(&mut self, node: &Node) -> i32 {
        let moves = self.moves();
        let values = moves.iter().map(|mv| self.child(node, mv, FULL));
        if node.max { values.max() } else { values.min() }.expect("a move")
    }

    fn fail_soft(&mut self, mut node: Node) -> i32 {
        let mut best = if node.max { -WIN } else { WIN };
        let moves = self.moves();
        for (place, mv) in moves.iter().enumerate() {
            let value = self.child(&node, mv, (node.alpha, node.beta));
            if node.max {
                best = best.max(value);
                node.alpha = node.alpha.max(best);
            } else {
                best = best.min(value);
                node.beta = node.beta.min(best);
            }
            if node.alpha >= node.beta {
                self.prune(&moves[place + 1..]);
                break;
            }
        }
        best
    }

    /// Begins with the bound, returns no value outside the window, and cuts only beyond the bound.
    fn fail_hard(&mut self, node: Node) -> i32 {
        let (mut alpha, mut beta) = (node.alpha, node.beta);
        let moves = self.moves();
        for (place, mv) in moves.iter().enumerate() {
            let value = self.child(&node, mv, (alpha, beta));
            if node.max {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha > beta {
                self.prune(&moves[place + 1..]);
                break;
            }
        }
        if node.max { alpha.min(node.beta) } else { beta.max(node.alpha) }
    }

    /// The value for the side to move, which is the same code for both sides.
    fn negamax(&mut self, (mut alpha, beta): (i32, i32), node: &Node) -> i32 {
        let sign = if node.max { 1 } else { -1 };
        let mut best = -WIN;
        let moves = self.moves();
        for (place, mv) in moves.iter().enumerate() {
            let window = if node.max { (alpha, beta) } else { (-beta, -alpha) };
            best = best.max(sign * self.child(node, mv, window));
            alpha = alpha.max(best);
            if alpha >= beta {
                self.prune(&moves[place + 1..]);
                break;
            }
        }
        best
    }

    /// The first move with the whole window, the others with a null window and, if their value lies inside the whole
    /// one, again.
    fn scout(&mut self, mut node: Node) -> i32 {
        let mut best = if node.max { -WIN } else { WIN };
        let moves = self.moves();
        for (place, mv) in moves.iter().enumerate() {
            let (alpha, beta) = (node.alpha, node.beta);
            let null = if node.max { (alpha, alpha + 1) } else { (beta - 1, beta) };
            let is_first = place == 0 || null == (alpha, beta);
            let mut value = self.child(&node, mv, if is_first { (alpha, beta) } else { null });
            if !is_first && alpha < value && value < beta {
                value = self.child(&node, mv, (alpha, beta));
            }
            if node.max {
                best = best.max(value);
                node.alpha = alpha.max(best);
            } else {
                best = best.min(value);
                node.beta = beta.min(best);
            }
            if node.alpha >= node.beta {
                self.prune(&moves[place + 1..]);
                break;
            }
        }
        best
    }
}
