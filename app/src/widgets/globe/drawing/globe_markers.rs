use crate::{
    contract::options::Clustering,
    widgets::globe::{
        clusters::{ALONE, APART, Cluster, Clusters, Site},
        counts::Counts,
        sphere::Position,
    },
};
use model::{Marker, Markers};
use std::{ops::Deref, sync::OnceLock};

/// Maximum number of markers in a drawing without clusters.
const MAX_MARKERS: usize = 500;

/// Markers with the clusters of zoom 1. Clusters of thousands of markers take milliseconds and
/// depend on the markers alone, so all drawings of the same markers share them.
#[derive(Debug, Default)]
pub struct GlobeMarkers {
    markers: Markers,
    clustered: OnceLock<Vec<Cluster>>,
    unclustered: OnceLock<Vec<Cluster>>,
}

impl GlobeMarkers {
    /// The clusters, computed at the first call. Without clustering, a cluster is one of the
    /// [`MAX_MARKERS`] largest markers; `markers` is sorted by size, largest first.
    pub(super) fn clusters(&self, clustering: Clustering) -> &[Cluster] {
        let (clusters, most, apart) = match clustering {
            Clustering::On => (&self.clustered, usize::MAX, APART),
            Clustering::Off => (&self.unclustered, MAX_MARKERS, ALONE),
        };
        clusters.get_or_init(|| {
            let sites: Vec<Site> = self.markers.markers.iter().take(most).map(site).collect();
            Clusters::new(&sites, apart).on(0).to_vec()
        })
    }
}

impl From<Markers> for GlobeMarkers {
    fn from(markers: Markers) -> Self {
        Self { markers, ..Self::default() }
    }
}

impl Deref for GlobeMarkers {
    type Target = Markers;

    fn deref(&self) -> &Markers {
        &self.markers
    }
}

fn site(marker: &Marker) -> Site {
    let position = Position { lat: marker.0, lng: marker.1 };
    Site { position, counts: Counts(marker.counts()), rough: marker.is_rough() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers(markers: Vec<Marker>) -> GlobeMarkers {
        GlobeMarkers::from(Markers { markers, ..Markers::default() })
    }

    #[test]
    fn near_markers_share_a_light_unless_clustering_is_off() {
        let at = |lng: f32, spirit| Marker(0.0, lng, spirit, 0, 0, "<Name>".into(), 0, 'c');
        let markers = markers(vec![at(10.0, 2), at(11.0, 1)]);
        let counted = |clustering| {
            let clusters = markers.clusters(clustering).iter();
            clusters.map(|cluster| cluster.counts.total()).collect::<Vec<_>>()
        };
        assert_eq!(counted(Clustering::On), [3]);
        assert_eq!(counted(Clustering::Off), [2, 1]);
    }

    #[test]
    fn drawings_of_the_same_markers_share_the_clusters() {
        let markers = markers(vec![Marker(0.0, 10.0, 1, 0, 0, "<Name>".into(), 0, 'c')]);
        for clustering in [Clustering::On, Clustering::Off] {
            let first = markers.clusters(clustering);
            assert!(std::ptr::eq(first, markers.clusters(clustering)));
        }
    }

    #[test]
    fn without_clustering_only_the_largest_are_drawn() {
        let at = |index: u64| {
            let (lat, lng) = (index as f32 / 10.0 - 50.0, index as f32 / 10.0);
            Marker(lat, lng, 2_000 - index, 0, 0, "<Name>".into(), 0, 'c')
        };
        let markers = markers((0..1_000).map(at).collect());
        let clusters = markers.clusters(Clustering::Off);
        assert_eq!(clusters.len(), MAX_MARKERS);
        assert!(clusters.iter().all(|cluster| cluster.counts.total() > 1_500));
    }
}
