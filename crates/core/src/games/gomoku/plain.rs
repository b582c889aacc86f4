//! The rules of Gomoku over the colours of points, without lines and patterns: the twin that tests compare with.

/// The four directions: steps to the right and down.
const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board; player 0 is black and begins.
#[derive(Clone)]
pub struct Plain {
    size: usize,
    rule: &'static str,
    stones: Vec<Option<u8>>,
}

impl Plain {
    /// The empty board.
    pub fn new(size: usize, rule: &'static str) -> Plain {
        Plain { size, rule, stones: vec![None; size * size] }
    }

    /// The board with these stones, each with its player.
    pub fn with_stones(size: usize, rule: &'static str, stones: impl IntoIterator<Item = (usize, u8)>) -> Plain {
        let mut board = Plain::new(size, rule);
        stones.into_iter().for_each(|(point, player)| board.stones[point] = Some(player));
        board
    }

    fn count(&self) -> usize {
        self.stones.iter().flatten().count()
    }

    fn to_move(&self) -> u8 {
        (self.count() % 2) as u8
    }

    pub fn is_empty(&self, point: usize) -> bool {
        self.stones[point].is_none()
    }

    pub fn play(&mut self, point: usize) {
        self.stones[point] = Some(self.to_move());
    }

    /// The point some steps away, if it is on the board.
    fn beside(&self, point: usize, (right, down): (isize, isize), steps: isize) -> Option<usize> {
        let column = usize::try_from((point % self.size) as isize + steps * right).ok()?;
        let row = usize::try_from((point / self.size) as isize + steps * down).ok()?;
        (column < self.size && row < self.size).then(|| row * self.size + column)
    }

    /// The stones of one colour in a row through the point, and the points at both ends of the row.
    fn run(&self, point: usize, direction: (isize, isize)) -> (usize, [Option<usize>; 2]) {
        let reach = |sign: isize| {
            let is_same = |steps: &isize| {
                self.beside(point, direction, sign * steps)
                    .is_some_and(|other| self.stones[other] == self.stones[point])
            };
            (1..).take_while(is_same).count() as isize
        };
        let (before, after) = (reach(-1), reach(1));
        let ends = [-before - 1, after + 1].map(|steps| self.beside(point, direction, steps));
        ((1 + before + after) as usize, ends)
    }

    fn makes_five(&self, point: usize, direction: (isize, isize)) -> bool {
        let player = self.stones[point].expect("a stone");
        let (length, ends) = self.run(point, direction);
        let blocked = ends.into_iter().all(|end| end.is_some_and(|end| self.stones[end] == Some(1 - player)));
        match self.rule {
            "freestyle" => length >= 5,
            "renju" if player == 1 => length >= 5,
            "exactly-five" | "renju" => length == 5,
            "caro" => length > 5 || length == 5 && !blocked,
            "caro-exactly-five" => length == 5 && !blocked,
            other => panic!("{other}"),
        }
    }

    /// The board with another stone of a player.
    fn with(&self, point: usize, player: u8) -> Plain {
        let mut next = self.clone();
        next.stones[point] = Some(player);
        next
    }

    /// Whether the side to move wins by a stone on an empty point.
    pub fn wins_at(&self, point: usize) -> bool {
        let next = self.with(point, self.to_move());
        DIRECTIONS.into_iter().any(|direction| next.makes_five(point, direction))
    }

    /// Whether a player has a five.
    pub fn has_five(&self) -> bool {
        let is_stone = |point: &usize| !self.is_empty(*point);
        (0..self.stones.len())
            .filter(is_stone)
            .any(|point| DIRECTIONS.into_iter().any(|direction| self.makes_five(point, direction)))
    }

    /// Whether the board is as full as it gets without a five.
    pub fn is_full(&self) -> bool {
        let last = if self.rule == "renju" { 25 } else { 0 };
        self.count() + last >= self.size * self.size
    }

    /// Whether the side to move may place a stone there.
    pub fn is_allowed(&self, point: usize) -> bool {
        self.is_allowed_to(self.to_move(), point)
    }

    /// Whether a player may place a stone there.
    pub fn is_allowed_to(&self, player: u8, point: usize) -> bool {
        let forbids = self.rule == "renju" && player == 0;
        self.is_empty(point) && !self.is_full() && !(forbids && self.is_forbidden(point))
    }

    /// The definition of renju, word by word: five, overline, double four, double three.
    fn is_forbidden(&self, point: usize) -> bool {
        let board = self.with(point, 0);
        if DIRECTIONS.into_iter().any(|direction| board.makes_five(point, direction)) {
            return false;
        }
        let sum = |count: &dyn Fn((isize, isize)) -> usize| DIRECTIONS.into_iter().map(count).sum::<usize>();
        DIRECTIONS.into_iter().any(|direction| board.run(point, direction).0 > 5)
            || sum(&|direction| board.fours(point, direction)) > 1
            || sum(&|direction| usize::from(board.is_three(point, direction))) > 1
    }

    /// Empty points of a line where a black stone makes a five that holds `point`, as steps from it.
    fn fives(&self, point: usize, direction: (isize, isize)) -> Vec<isize> {
        let makes_five = |steps: &isize| {
            let Some(at) = self.beside(point, direction, *steps).filter(|&at| self.is_empty(at)) else { return false };
            let next = self.with(at, 0);
            next.makes_five(at, direction) && next.joined(point, direction, *steps)
        };
        (-4..=4).filter(makes_five).collect()
    }

    /// Whether black stones stand on all points from one to the point some steps away.
    fn joined(&self, point: usize, direction: (isize, isize), steps: isize) -> bool {
        (0..=steps.abs()).all(|step| {
            let at = self.beside(point, direction, step * steps.signum());
            at.is_some_and(|at| self.stones[at] == Some(0))
        })
    }

    /// The fours through a black stone in a line; both ends of four in a row are one.
    fn fours(&self, point: usize, direction: (isize, isize)) -> usize {
        let fives = self.fives(point, direction);
        let straight = fives.iter().filter(|&&steps| fives.contains(&(steps + 5))).count();
        fives.len() - straight
    }

    fn is_straight_four(&self, point: usize, direction: (isize, isize)) -> bool {
        let fives = self.fives(point, direction);
        fives.iter().any(|&steps| fives.contains(&(steps + 5)))
    }

    fn is_three(&self, point: usize, direction: (isize, isize)) -> bool {
        (-3..=3).filter(|&steps: &isize| steps != 0).any(|steps| {
            let Some(at) = self.beside(point, direction, steps).filter(|&at| self.is_empty(at)) else { return false };
            if !self.joined(point, direction, steps - steps.signum()) {
                return false;
            }
            let next = self.with(at, 0);
            next.is_straight_four(at, direction)
                && !DIRECTIONS.into_iter().any(|other| next.makes_five(at, other))
                && !self.is_forbidden(at)
        })
    }

    /// Leaves two plies below, a finished game counting as one.
    pub fn leaves_of_two_plies(&self) -> usize {
        let allowed = |board: &Plain| (0..board.stones.len()).filter(|&point| board.is_allowed(point)).count();
        let below = |point: usize| {
            let mut next = self.clone();
            next.play(point);
            if self.wins_at(point) || allowed(&next) == 0 { 1 } else { allowed(&next) }
        };
        (0..self.stones.len()).filter(|&point| self.is_allowed(point)).map(below).sum()
    }
}
