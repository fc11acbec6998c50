use std::fmt;

use base::histogram::Counted;
use prometheus_client::{
    encoding::{DescriptorEncoder, EncodeGaugeValue, MetricEncoder, NoLabelSet},
    metrics::MetricType,
};

/// Labels of a value; there may be none.
pub(super) type Labels<'l, const N: usize> = [(&'static str, &'l str); N];

/// Writes metric families: all values with the same name, after its description.
pub(super) struct Families<'e>(DescriptorEncoder<'e>);

impl<'e> Families<'e> {
    pub(super) fn of(encoder: DescriptorEncoder<'e>) -> Self {
        Self(encoder)
    }

    pub(super) fn gauge(
        &mut self,
        name: &str,
        help: &str,
        value: impl EncodeGaugeValue,
    ) -> fmt::Result {
        self.gauges(name, help, [([], value)])
    }

    pub(super) fn gauges<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (Labels<'l, N>, impl EncodeGaugeValue)>,
    ) -> fmt::Result {
        let write = |number: &mut MetricEncoder<'_>, value: &_| number.encode_gauge(value);
        self.family(name, help, MetricType::Gauge, values, write)
    }

    /// Writes a counter. `name` is without the suffix `_total`.
    pub(super) fn counter(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        self.counters(name, help, [([], value)])
    }

    pub(super) fn counters<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (Labels<'l, N>, u64)>,
    ) -> fmt::Result {
        let write = |number: &mut MetricEncoder<'_>, value: &u64| {
            number.encode_counter::<NoLabelSet, _, u64>(value, None)
        };
        self.family(name, help, MetricType::Counter, values, write)
    }

    pub(super) fn histograms<'l, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        values: impl IntoIterator<Item = (Labels<'l, N>, Counted)>,
    ) -> fmt::Result {
        let write = |number: &mut MetricEncoder<'_>, counted: &Counted| {
            let sum = counted.sum.as_secs_f64();
            number.encode_histogram::<NoLabelSet>(sum, counted.count(), &counted.buckets, None)
        };
        self.family(name, help, MetricType::Histogram, values, write)
    }

    fn family<'l, V, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        kind: MetricType,
        values: impl IntoIterator<Item = (Labels<'l, N>, V)>,
        write: impl Fn(&mut MetricEncoder<'_>, &V) -> fmt::Result,
    ) -> fmt::Result {
        let help = format!("{help}.");
        let mut family = self.0.encode_descriptor(name, &help, None, kind)?;
        for (labels, value) in values {
            match labels.is_empty() {
                true => write(&mut family, &value)?,
                false => write(&mut family.encode_family(&labels)?, &value)?,
            }
        }
        Ok(())
    }
}
