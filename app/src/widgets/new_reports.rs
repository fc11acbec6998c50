use model::Report;

/// Returns the new ones among the latest reports: those above the first known report. A report that
/// moves up because another was withdrawn is not new.
pub(crate) fn new_reports(latest: &[Report], is_known: impl Fn(&Report) -> bool) -> &[Report] {
    let above = latest.iter().take_while(|report| !is_known(report)).count();
    latest.get(..above).unwrap_or_default()
}
