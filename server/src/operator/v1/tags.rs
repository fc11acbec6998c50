//! Groups of operations in the document of the operator API.

pub(in crate::operator) const REPORTS: &str = "Reports";
pub(in crate::operator) const KEYS: &str = "Keys";
pub(in crate::operator) const WEBHOOKS: &str = "Webhooks";
pub(in crate::operator) const SERVICE: &str = "Service";

/// All groups, in order, with their descriptions.
pub(in crate::operator) const ALL: [(&str, &str); 4] = [
    (REPORTS, "Reports of any status: adding, finding, deciding, correcting."),
    (KEYS, "The keys of partners and of operators."),
    (WEBHOOKS, "All partners\u{2019} subscriptions and deliveries."),
    (SERVICE, "The status of the service, and the audit log."),
];
