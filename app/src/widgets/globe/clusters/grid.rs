/// A hash table of cells that finds near points on the unit sphere.
pub(super) struct Grid {
    /// Distance below which two points are near each other.
    apart: f32,
    points: Vec<[f32; 3]>,
    /// For each point, the previous one in its bucket.
    before: Vec<u32>,
    /// Last point of each bucket.
    buckets: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Grid {
    /// Creates a grid for at most `most` points.
    pub(super) fn new(apart: f32, most: usize) -> Self {
        let buckets = vec![NONE; (2 * most).next_power_of_two()];
        Self { apart, points: Vec::new(), before: Vec::new(), buckets }
    }

    pub(super) fn insert(&mut self, point: [f32; 3]) {
        let bucket = self.bucket(point.map(|value| self.cell(value)));
        if let Some(last) = self.buckets.get_mut(bucket) {
            self.before.push(std::mem::replace(last, self.points.len() as u32));
            self.points.push(point);
        }
    }

    /// Returns the nearest point closer than `apart`, as its index in order of insertion.
    pub(super) fn nearest(&self, point: [f32; 3]) -> Option<u32> {
        let (mut best, mut least) = (None, self.apart * self.apart);
        // A cell is twice as wide as `apart`, so near points are in at most two cells along each
        // axis.
        let low = point.map(|value| self.cell(value - self.apart));
        let high = point.map(|value| self.cell(value + self.apart));
        for corner in 0..8 {
            let mut cell = low;
            let mut again = false;
            for axis in 0..3 {
                if corner >> axis & 1 == 1 {
                    again |= high[axis] == low[axis];
                    cell[axis] = high[axis];
                }
            }
            if again {
                continue;
            }
            let mut next = self.buckets.get(self.bucket(cell)).copied().unwrap_or(NONE);
            while let Some(other) = self.points.get(next as usize) {
                let away = distance(point, *other);
                if away < least {
                    (best, least) = (Some(next), away);
                }
                next = self.before.get(next as usize).copied().unwrap_or(NONE);
            }
        }
        best
    }

    fn cell(&self, value: f32) -> i32 {
        (value / (2.0 * self.apart)).floor() as i32
    }

    fn bucket(&self, [x, y, z]: [i32; 3]) -> usize {
        let mix =
            x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791);
        mix as u32 as usize & (self.buckets.len() - 1)
    }
}

/// Square of the distance of two points.
fn distance(one: [f32; 3], other: [f32; 3]) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum()
}
