//! wrk, which generates the load with one thread and 64 connections.

use anyhow::{Context as _, Result, bail};
use tokio::process::Command;

use crate::process;

/// Requests per second at `url`, measured for `seconds`.
pub(crate) async fn rate(url: &str, headers: &[(&str, &str)], seconds: u64) -> Result<f64> {
    let mut command = Command::new("wrk");
    command.args(["--threads", "1", "--connections", "64"]);
    command.args(["--duration", &format!("{seconds}s")]);
    for (name, value) in headers {
        command.args(["--header", &format!("{name}: {value}")]);
    }
    command.arg(url);
    let output = process::output(command).await.context("wrk")?;
    parse(&output).with_context(|| url.to_owned())
}

/// Requests per second. If any response is an error, there is no figure, because errors are cheap.
fn parse(output: &str) -> Result<f64> {
    let after = |label: &str| {
        output.lines().find_map(|line| line.trim().strip_prefix(label).map(str::trim))
    };
    for label in ["Socket errors:", "Non-2xx or 3xx responses:"] {
        if let Some(errors) = after(label) {
            bail!("{label} {errors}");
        }
    }
    let rate = after("Requests/sec:").context("wrk did not say how many requests a second")?;
    Ok(rate.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "Running 4s test @ http://127.0.0.1:3000/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.11ms    0.40ms  12.00ms   90.00%
    Req/Sec    57.65k     1.20k   60.00k    70.00%
  229530 requests in 4.00s, 67.86MB read
Requests/sec:  57371.27
Transfer/sec:     16.96MB
";

    #[test]
    fn the_rate_is_read() {
        assert_eq!(parse(OUTPUT).unwrap(), 57371.27);
    }

    #[test]
    fn errors_are_no_figure() {
        let refused = OUTPUT.replace("Requests/sec", "  Non-2xx or 3xx responses: 5\nRequests/sec");
        assert_eq!(parse(&refused).unwrap_err().to_string(), "Non-2xx or 3xx responses: 5");
        let reset = OUTPUT.replace(
            "Requests/sec",
            "  Socket errors: connect 0, read 3, write 0, timeout 0\nRequests/sec",
        );
        assert!(parse(&reset).unwrap_err().to_string().contains("read 3"));
    }

    #[test]
    fn no_rate_is_an_error() {
        assert!(parse("unable to connect to 127.0.0.1:1 Connection refused").is_err());
    }
}
