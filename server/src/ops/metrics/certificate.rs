use std::fmt;

use edge::tls::Tls;

use super::families::Families;

/// Writes the certificate's metrics, if the service has its own TLS.
pub(super) fn write(families: &mut Families<'_>, tls: Option<&Tls>) -> fmt::Result {
    families.gauges(
        "svc_tls_certificate_expires_timestamp_seconds",
        "When the certificate in use or one of its issuers expires, as a Unix time",
        tls.and_then(Tls::expires_at).map(|at| ([], at)),
    )
}
