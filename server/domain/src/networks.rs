use std::{net::IpAddr, str::FromStr, sync::Arc};

use ipnet::IpNet;

/// List of networks, as configured by an operator. Empty by default; cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Arc<[IpNet]>);

impl Networks {
    /// Whether the address is in one of the networks. An IPv4-mapped IPv6 address equals the IPv4 address, both here
    /// and in the configuration.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Networks> for Networks {
    /// Merges all lists into one.
    fn from_iter<T: IntoIterator<Item = Networks>>(lists: T) -> Self {
        Self(lists.into_iter().flat_map(|Networks(list)| list.to_vec()).collect())
    }
}

impl FromStr for Networks {
    type Err = String;

    /// Parses networks and addresses, separated by commas, such as `10.0.0.0/8, ::1`.
    fn from_str(text: &str) -> Result<Self, String> {
        let named = text.split(',').map(str::trim).filter(|network| !network.is_empty());
        let networks: Option<Vec<IpNet>> = named.clone().map(network).collect();
        if let Some(networks) = networks {
            return Ok(Self(networks.into()));
        }
        let wrong = named.clone().find(|text| network(text).is_none()).unwrap_or_default();
        Err(format!(
            "{wrong:?} is neither an IP address nor a network: write it like 192.0.2.1, 10.0.0.0/8 \
             or 2001:db8::/32, and separate several by commas"
        ))
    }
}

fn network(text: &str) -> Option<IpNet> {
    let Some((address, length)) = text.split_once('/') else {
        return Some(IpNet::from(text.parse::<IpAddr>().ok()?.to_canonical()));
    };
    let address: IpAddr = address.parse().ok()?;
    // `parse` alone would accept a sign.
    let digits = length.bytes().all(|byte| byte.is_ascii_digit());
    let length = if digits { length.parse::<u8>().ok()? } else { return None };
    let network = IpNet::new(address, length).ok()?;
    Some(match (address.to_canonical(), length.checked_sub(96)) {
        (mapped @ IpAddr::V4(_), Some(length)) if address.is_ipv6() => {
            IpNet::new(mapped, length).ok()?.trunc()
        }
        _ => network.trunc(),
    })
}
