//! The places in the browser, and the clusters made of them.
//!
//! Places are referred to by index. [`Places::merge`] may change every index, so keep the name and
//! [`find`](Places::find) the place again. `N` is the name of a place: in the browser two
//! JavaScript strings ([`Name`]), which are converted only on demand.

mod rows;

use super::{
    clusters::{self, Cluster, Clusters, Draft, Site},
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

impl<N: Clone + PartialEq> Places<N> {
    /// Creates an empty set of places. `is_unclustered` keeps each place separate.
    pub(super) fn empty(is_unclustered: bool) -> Self {
        let apart = if is_unclustered { clusters::ALONE } else { clusters::APART };
        Self { sites: Vec::new(), names: Vec::new(), clusters: Clusters::default(), apart }
    }

    /// Starts with new places, which replace all of these.
    pub(super) fn replaced(&self, places: impl IntoIterator<Item = (Site, N)>) -> PlacesDraft<N> {
        let (sites, names) = places.into_iter().unzip();
        PlacesDraft::new(sites, names, self.apart)
    }

    /// Applies changes. A place known by name and position gets the new counts, or is removed if
    /// all are zero. Other places are added. Returns a draft if that takes more than new counts.
    pub(super) fn merge(
        &mut self,
        changes: impl IntoIterator<Item = (Site, N)>,
    ) -> Option<PlacesDraft<N>> {
        let mut draft = None;
        for (site, name) in changes {
            if draft.is_none() && self.recount(site, &name) {
                continue;
            }
            let (sites, names) =
                draft.get_or_insert_with(|| (self.sites.clone(), self.names.clone()));
            match (known(sites, names, &site, &name), site.counts.total() > 0) {
                (Some(index), true) => {
                    if let Some(known) = sites.get_mut(index) {
                        *known = site;
                    }
                }
                (Some(index), false) => {
                    sites.swap_remove(index);
                    names.swap_remove(index);
                }
                (None, true) => {
                    sites.push(site);
                    names.push(name);
                }
                (None, false) => {}
            }
        }
        draft.map(|(sites, names)| PlacesDraft::new(sites, names, self.apart))
    }

    /// Sets the counts of a known place, unless that may change the clusters.
    fn recount(&mut self, site: Site, name: &N) -> bool {
        let index = known(&self.sites, &self.names, &site, name);
        let Some((index, known)) =
            index.and_then(|index| Some((index, self.sites.get_mut(index)?)))
        else {
            return false;
        };
        let is_recounted = known.rough == site.rough
            && site.counts.total() > 0
            && self.clusters.recount(index, known.counts, site.counts);
        if is_recounted {
            *known = site;
        }
        is_recounted
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

    /// Returns the light at a point of the picture: the light hit, else the nearest one within
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
            // Measured from the edge, so that a small light next to a large one can still be hit.
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

/// Index of a place, by name and position.
fn known<N: PartialEq>(sites: &[Site], names: &[N], site: &Site, name: &N) -> Option<usize> {
    sites.iter().zip(names).position(|(known, known_name)| {
        // The position is compared first: it is cheap, and rarely the same for two places.
        known.position == site.position && known_name == name
    })
}

/// Places while their clusters are computed: see [`Draft`].
pub(super) struct PlacesDraft<N> {
    sites: Vec<Site>,
    names: Vec<N>,
    apart: f32,
    clusters: Draft,
}

impl<N> PlacesDraft<N> {
    fn new(sites: Vec<Site>, names: Vec<N>, apart: f32) -> Self {
        let clusters = Draft::new(&sites, apart);
        Self { sites, names, apart, clusters }
    }

    /// Computes a part. Returns whether it was not the last.
    pub(super) fn step(&mut self) -> bool {
        self.clusters.step(&self.sites)
    }

    /// Returns the places, after the last step.
    pub(super) fn finish(self) -> Places<N> {
        let Self { sites, names, apart, clusters } = self;
        let clusters = clusters.finish(&sites);
        Places { sites, names, clusters, apart }
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
        finished(Places::empty(false).replaced(sites))
    }

    fn finished<N>(mut draft: PlacesDraft<N>) -> Places<N> {
        while draft.step() {}
        draft.finish()
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
        let draft = places.merge([
            place("Nice", 43.7, 7.27, [0, 0, 0]),
            place("Lyon", 45.75, 4.85, [1, 5, 0]),
            place("Lille", 50.63, 3.06, [0, 0, 1]),
            place("Nowhere", 0.0, 0.0, [0, 0, 0]),
        ]);
        let mut places = finished(draft.unwrap());
        let expected = [("Lille", [0, 0, 1]), ("Lyon", [1, 5, 0]), ("Paris", [3, 0, 0])];
        assert_eq!(shown(&places), expected);
        let total: u64 = places.clusters().on(0).iter().map(|cluster| cluster.counts.total()).sum();
        assert_eq!(total, 10);
        assert_eq!(
            places.find(&("Paris", "France")).map(|index| places.name(index).unwrap().0),
            Some("Paris")
        );
        assert_eq!(places.find(&("Nice", "France")), None);

        // A count that moves nothing takes no draft.
        assert!(places.merge([place("Lyon", 45.75, 4.85, [1, 6, 0])]).is_none());
        assert_eq!(shown(&places)[1], ("Lyon", [1, 6, 0]));
        let total: u64 = places.clusters().on(0).iter().map(|cluster| cluster.counts.total()).sum();
        assert_eq!(total, 11);
    }

    #[test]
    fn cities_of_one_name_and_cities_at_one_position_are_different_places() {
        let mut places = placed([
            place("Saint-Denis", 48.94, 2.36, [1, 0, 0]),
            place("Saint-Denis", -20.88, 55.45, [2, 0, 0]),
            place("Sète", 48.94, 2.36, [3, 0, 0]),
        ]);
        if let Some(draft) = places.merge([place("Saint-Denis", -20.88, 55.45, [0, 0, 7])]) {
            places = finished(draft);
        }
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
        assert_eq!(picked(0.015, 0.0), Some("Quito"));
        assert_eq!(picked(0.21, 0.0), Some("Brest"));
        // Between two lights, the nearer edge wins.
        assert_eq!(picked(0.1, 0.12), Some("Quito"));
        assert_eq!(picked(0.12, 0.12), Some("Brest"));
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
