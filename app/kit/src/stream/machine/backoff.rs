/// Maximum wait between two attempts, in milliseconds.
const LONGEST: i32 = 60_000;

/// Wait before the next attempt, in milliseconds, after `failures` (from 0) in a row.
///
/// Doubles from one second up to a minute. `chance`, from 0 to 1, reduces it by up to half, so that
/// the clients of a restarted server do not all reconnect at once.
pub(super) fn delay(failures: u32, chance: f64) -> i32 {
    let ceiling = 1_000_i32.checked_shl(failures).filter(|_| failures < 6).unwrap_or(LONGEST);
    ceiling - (f64::from(ceiling / 2) * chance) as i32
}

#[cfg(test)]
mod tests {
    use super::delay;

    #[test]
    fn waits_double_up_to_a_minute() {
        let waits: Vec<i32> = [0, 1, 2, 5, 6, 31, 32, u32::MAX].map(|n| delay(n, 0.0)).into();
        assert_eq!(waits, [1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
    }

    #[test]
    fn chance_takes_up_to_half_off() {
        assert_eq!(delay(0, 0.5), 750);
        assert_eq!(delay(0, 1.0), 500);
        assert_eq!(delay(40, 1.0), 30_000);
    }
}
