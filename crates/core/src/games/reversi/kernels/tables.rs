//! Tables of lines through squares, computed at compile time.

/// Rays of every square: towards higher bits by steps of 1, 8, 7, 9, then towards lower bits.
#[repr(align(64))]
pub struct Rays(pub [[u64; 8]; 64]);

/// See [`Rays`].
pub static RAYS: Rays = Rays(rays());

/// Steps of the rays as (column, row).
const STEPS: [(i32, i32); 8] = [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)];

const fn rays() -> [[u64; 8]; 64] {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEPS[direction];
            let mut x = square as i32 % 8 + dx;
            let mut y = square as i32 / 8 + dy;
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[square][direction] |= 1 << (y * 8 + x);
                x += dx;
                y += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}

/// Rising and falling diagonal through a square, the square included.
pub static DIAGONALS: [[u64; 2]; 64] = diagonals();

const fn diagonals() -> [[u64; 2]; 64] {
    let rays = rays();
    let mut lines = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let own = 1 << square;
        lines[square] = [rays[square][2] | rays[square][6] | own, rays[square][3] | rays[square][7] | own];
        square += 1;
    }
    lines
}

/// The squares next to each square.
pub static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut near = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEPS[direction];
            let x = square as i32 % 8 + dx;
            let y = square as i32 / 8 + dy;
            if x >= 0 && x < 8 && y >= 0 && y < 8 {
                near[square] |= 1 << (y * 8 + x);
            }
            direction += 1;
        }
        square += 1;
    }
    near
}

/// `LAST_FLIPS[at][own]`: twice the number of discs flipped along a line of eight whose only empty square is `at`, where
/// the player has the discs `own`.
pub static LAST_FLIPS: [[u8; 256]; 8] = last_flips();

const fn last_flips() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut empty = 0;
    while empty < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut step = -1;
            while step <= 1 {
                let mut run = 0;
                let mut at = empty as i32 + step;
                while at >= 0 && at < 8 && own >> at & 1 == 0 {
                    run += 1;
                    at += step;
                }
                if at >= 0 && at < 8 {
                    count += 2 * run;
                }
                step += 2;
            }
            table[empty][own] = count;
            own += 1;
        }
        empty += 1;
    }
    table
}
