use model::Report;

/// Which of the latest reports are new: those above the first known one. A
/// report that moves up from below because another was withdrawn is not new.
pub(crate) fn new_reports(latest: &[Report], is_known: impl Fn(&Report) -> bool) -> &[Report] {
    let above = latest.iter().take_while(|report| !is_known(report)).count();
    latest.get(..above).unwrap_or_default()
}
