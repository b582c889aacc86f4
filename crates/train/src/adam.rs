//! Adam: gradient descent with a separate step size for every weight (Kingma and Ba, 2015).

/// The running means of the gradients and of their squares.
pub struct Adam {
    mean: Vec<f64>,
    variance: Vec<f64>,
    steps: i32,
}

impl Adam {
    /// The optimiser for this many weights.
    pub fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], variance: vec![0.0; weights], steps: 0 }
    }

    /// The changes of all weights for their gradients; each is at most about `rate`.
    pub fn step<'a>(
        &'a mut self,
        rate: f64,
        gradients: impl Iterator<Item = f64> + 'a,
    ) -> impl Iterator<Item = f64> + 'a {
        const MEAN_DECAY: f64 = 0.9;
        const VARIANCE_DECAY: f64 = 0.999;
        self.steps += 1;
        let bias_correction = |decay: f64| 1.0 - decay.powi(self.steps);
        let (mean_correction, variance_correction) = (bias_correction(MEAN_DECAY), bias_correction(VARIANCE_DECAY));
        self.mean.iter_mut().zip(&mut self.variance).zip(gradients).map(move |((mean, variance), gradient)| {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *variance = VARIANCE_DECAY * *variance + (1.0 - VARIANCE_DECAY) * gradient * gradient;
            -rate * (*mean / mean_correction) / ((*variance / variance_correction).sqrt() + 1e-9)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_found() {
        let (mut adam, mut weights) = (Adam::new(2), [5.0, -3.0]);
        for _ in 0..2_000 {
            let gradients: Vec<f64> = [(0, 1.0), (1, 100.0)].map(|(at, steep)| steep * (weights[at] - 1.0)).to_vec();
            let changes: Vec<f64> = adam.step(0.01, gradients.into_iter()).collect();
            for (weight, change) in weights.iter_mut().zip(changes) {
                *weight += change;
            }
        }
        assert!(weights.iter().all(|weight| (weight - 1.0_f64).abs() < 0.05), "{weights:?}");
    }
}
