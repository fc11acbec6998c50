//! The places in the browser, and the clusters made of them.
//!
//! Places are referred to by index. [`Places::merge`] may change every index, so keep the name and
//! [`find`](Places::find) the place again. `N` is the name of a place: in the browser two
//! JavaScript strings ([`Name`]), which are converted only on demand.

mod rows;

use super::{
    clusters::{self, Cluster, Clusters, Site},
    sphere::{Sphere, point},
};

pub(super) use rows::{Name, Rows};

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Places<N> {
    sites: Vec<Site>,
    names: Vec<N>,
    clusters: Clusters,
    /// Minimum distance between two clusters: see [`Clusters::new`].
    apart: f32,
}

impl<N: PartialEq> Places<N> {
    /// Creates an empty set of places. `is_unclustered` keeps each place separate.
    pub(super) fn empty(is_unclustered: bool) -> Self {
        let apart = if is_unclustered { clusters::ALONE } else { clusters::APART };
        Self { sites: Vec::new(), names: Vec::new(), clusters: Clusters::default(), apart }
    }

    /// Replaces all places.
    pub(super) fn replace(&mut self, places: impl IntoIterator<Item = (Site, N)>) {
        (self.sites, self.names) = places.into_iter().unzip();
        self.clusters = Clusters::new(&self.sites, self.apart);
    }

    /// Applies changes. A place known by name and position gets the new counts, or is removed if
    /// all are zero. Other places are added.
    pub(super) fn merge(&mut self, changes: impl IntoIterator<Item = (Site, N)>) {
        for (site, name) in changes {
            let known = self.sites.iter().zip(&self.names).position(|(known, known_name)| {
                // The position is compared first: it is cheap, and rarely the same for two places.
                known.position == site.position && *known_name == name
            });
            match (known, site.counts.total() > 0) {
                (Some(index), true) => {
                    if let Some(known) = self.sites.get_mut(index) {
                        *known = site;
                    }
                }
                (Some(index), false) => {
                    self.sites.swap_remove(index);
                    self.names.swap_remove(index);
                }
                (None, true) => {
                    self.sites.push(site);
                    self.names.push(name);
                }
                (None, false) => {}
            }
        }
        self.clusters = Clusters::new(&self.sites, self.apart);
    }

    pub(super) fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    pub(super) fn site(&self, index: usize) -> Option<Site> {
        self.sites.get(index).copied()
    }

    pub(super) fn name(&self, index: usize) -> Option<&N> {
        self.names.get(index)
    }

    /// Index of the place with this name.
    pub(super) fn find(&self, name: &N) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Returns the disc at a point of the picture: the disc hit, else the nearest one within
    /// `reach` of its centre. `at` and `reach` are in radii of the globe at this zoom.
    pub(super) fn pick(
        &self,
        sphere: &Sphere,
        zoom: f32,
        at: (f32, f32),
        reach: f32,
    ) -> Option<&Cluster> {
        let mut best = None;
        let mut least = f32::INFINITY;
        for cluster in self.clusters.on(self.clusters.level(zoom)) {
            let [x, y, z] = sphere.project(cluster.point);
            let (dx, dy) = (x - at.0, y - at.1);
            let away = (dx * dx + dy * dy).sqrt();
            let radius = cluster.radius / zoom;
            // Measured from the edge, so that a small disc next to a large one can still be hit.
            if z > 0.05 && away < radius.max(reach) && away - radius < least {
                (best, least) = (Some(cluster), away - radius);
            }
        }
        best
    }

    /// All places, ordered by distance from a point in degrees.
    pub(super) fn around(&self, lat: f32, lng: f32) -> Vec<usize> {
        let sphere = Sphere::facing(lat, lng);
        let near = |site: &Site| -sphere.project(point(site.position.lat, site.position.lng))[2];
        let mut order: Vec<(f32, usize)> = self.sites.iter().map(near).zip(0..).collect();
        order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        order.into_iter().map(|(_, index)| index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{counts::Counts, sphere::Position},
        *,
    };

    fn place(name: &str, lat: f32, lng: f32, counts: [u64; 3]) -> (Site, (&str, &str)) {
        let position = Position { lat, lng };
        (Site { position, counts: Counts(counts), rough: false }, (name, "France"))
    }

    fn placed<'a>(
        sites: impl IntoIterator<Item = (Site, (&'a str, &'a str))>,
    ) -> Places<(&'a str, &'a str)> {
        let mut places = Places::empty(false);
        places.replace(sites);
        places
    }

    fn shown<'a>(places: &Places<(&'a str, &str)>) -> Vec<(&'a str, [u64; 3])> {
        let mut shown: Vec<_> = (0..)
            .map_while(|index| Some((places.name(index)?.0, places.site(index)?.counts.0)))
            .collect();
        shown.sort_unstable();
        shown
    }

    #[test]
    fn changes_replace_add_and_remove_places() {
        let mut places = placed([
            place("Lyon", 45.75, 4.85, [1, 0, 0]),
            place("Nice", 43.7, 7.27, [2, 0, 0]),
            place("Paris", 48.85, 2.35, [3, 0, 0]),
        ]);
        places.merge([
            place("Nice", 43.7, 7.27, [0, 0, 0]),
            place("Lyon", 45.75, 4.85, [1, 5, 0]),
            place("Lille", 50.63, 3.06, [0, 0, 1]),
            place("Nowhere", 0.0, 0.0, [0, 0, 0]),
        ]);
        let expected = [("Lille", [0, 0, 1]), ("Lyon", [1, 5, 0]), ("Paris", [3, 0, 0])];
        assert_eq!(shown(&places), expected);
        let total: u64 = places.clusters().on(0).iter().map(|cluster| cluster.counts.total()).sum();
        assert_eq!(total, 10);
        assert_eq!(
            places.find(&("Paris", "France")).map(|index| places.name(index).unwrap().0),
            Some("Paris")
        );
        assert_eq!(places.find(&("Nice", "France")), None);
    }

    #[test]
    fn cities_of_one_name_and_cities_at_one_position_are_different_places() {
        let mut places = placed([
            place("Saint-Denis", 48.94, 2.36, [1, 0, 0]),
            place("Saint-Denis", -20.88, 55.45, [2, 0, 0]),
            place("Sète", 48.94, 2.36, [3, 0, 0]),
        ]);
        places.merge([place("Saint-Denis", -20.88, 55.45, [0, 0, 7])]);
        let expected =
            [("Saint-Denis", [0, 0, 7]), ("Saint-Denis", [1, 0, 0]), ("Sète", [3, 0, 0])];
        assert_eq!(shown(&places), expected);
    }

    #[test]
    fn a_click_hits_the_disc_under_it_else_one_within_reach() {
        let places = placed([
            place("Quito", 0.0, 0.0, [100, 0, 0]),
            place("Brest", 0.0, 12.0, [1, 0, 0]),
            place("Far side", 0.0, 180.0, [100, 0, 0]),
        ]);
        let sphere = Sphere::facing(0.0, 0.0);
        let picked = |x: f32, reach: f32| {
            let cluster = places.pick(&sphere, 1.0, (x, 0.0), reach)?;
            Some(places.name(cluster.site)?.0)
        };
        assert_eq!(picked(0.05, 0.0), Some("Quito"));
        assert_eq!(picked(0.21, 0.0), Some("Brest"));
        // Between two discs, the nearer edge wins.
        assert_eq!(picked(0.11, 0.12), Some("Quito"));
        assert_eq!(picked(0.16, 0.12), Some("Brest"));
        assert_eq!(picked(0.5, 0.12), None);
    }

    #[test]
    fn the_way_from_place_to_place_begins_at_the_nearest() {
        let places = placed([
            place("Quito", 0.0, -78.0, [100, 0, 0]),
            place("Lagos", 6.0, 3.0, [1, 0, 0]),
            place("Lima", -12.0, -77.0, [100, 0, 0]),
        ]);
        assert_eq!(places.around(5.0, 5.0), [1, 0, 2]);
    }
}
