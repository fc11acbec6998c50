use std::sync::Arc;

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// A city and what it lies in, each in the spelling first published. `region` is empty where none was
/// reported. In the order of country, region, city. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CityName {
    pub country: Arc<str>,
    pub region: Arc<str>,
    pub city: Arc<str>,
}

impl Serialize for CityName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut name = serializer.serialize_struct("CityName", 3)?;
        name.serialize_field("country", &*self.country)?;
        name.serialize_field("region", &*self.region)?;
        name.serialize_field("city", &*self.city)?;
        name.end()
    }
}
