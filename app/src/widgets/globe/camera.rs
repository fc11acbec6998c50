//! The viewpoint. Its animations follow time, not frames, so they have the same speed on every
//! screen.

use super::clusters::NEAREST;

/// Maximum latitude of the centre, north and south, so that the globe is never seen upside down.
const STEEPEST: f32 = 80.0;
/// Duration of the movement after a throw, in seconds.
const THROW: f32 = 1.4;

/// See the [module](self). Angles are in degrees.
#[derive(Clone, Debug)]
pub(super) struct Camera {
    pub(super) lat: f32,
    pub(super) lng: f32,
    /// Zoom; 1 shows the whole globe.
    pub(super) zoom: f32,
    motion: Option<Motion>,
}

/// A camera animation in progress.
#[derive(Clone, Debug)]
struct Motion {
    from: (f32, f32),
    by: (f32, f32),
    /// Zoom at the start and at the end; `None` leaves the zoom to the visitor.
    zoom: Option<(f32, f32)>,
    elapsed: f32,
    length: f32,
    thrown: bool,
}

impl Camera {
    pub(super) fn at(lat: f32, lng: f32) -> Self {
        Self { lat, lng, zoom: 1.0, motion: None }
    }

    /// Turns by this angle and stops any animation.
    pub(super) fn turn(&mut self, lat: f32, lng: f32) {
        self.motion = None;
        self.look(self.lat + lat, self.lng + lng);
    }

    /// Continues a turn at this speed, in degrees per second, and slows down.
    pub(super) fn throw(&mut self, lat: f32, lng: f32) {
        // The rest of the way shrinks with the fourth power of the remaining time, so the total
        // distance is a quarter of speed × duration.
        let by = (lat * THROW / 4.0, lng * THROW / 4.0);
        let from = (self.lat, self.lng);
        let zoom = None;
        self.motion = Some(Motion { from, by, zoom, elapsed: 0.0, length: THROW, thrown: true });
    }

    /// Moves to a point on the shorter way. Returns the duration in seconds.
    pub(super) fn fly(&mut self, lat: f32, lng: f32) -> f32 {
        self.set_off(lat, lng, None)
    }

    /// Like [`Self::fly`], ending at this zoom.
    pub(super) fn fly_near(&mut self, lat: f32, lng: f32, zoom: f32) -> f32 {
        self.set_off(lat, lng, Some((self.zoom, zoom.clamp(1.0, NEAREST))))
    }

    fn set_off(&mut self, lat: f32, lng: f32, zoom: Option<(f32, f32)>) -> f32 {
        let around = wrapped(lng - self.lng);
        let by = (lat.clamp(-STEEPEST, STEEPEST) - self.lat, around);
        let far = by.0.abs().max(by.1.abs());
        let length = 0.4 + far / 150.0;
        let from = (self.lat, self.lng);
        self.motion = Some(Motion { from, by, zoom, elapsed: 0.0, length, thrown: false });
        length
    }

    /// Moves to a point without an animation.
    pub(super) fn jump(&mut self, lat: f32, lng: f32) {
        self.motion = None;
        self.look(lat, lng);
    }

    pub(super) fn zoom_by(&mut self, factor: f32) {
        self.zoom = (self.zoom * factor).clamp(1.0, NEAREST);
    }

    pub(super) fn stop(&mut self) {
        self.motion = None;
    }

    /// Latitude and longitude at the end of the animation, or the current ones.
    pub(super) fn destination(&self) -> (f32, f32) {
        match &self.motion {
            Some(Motion { from, by, .. }) => (from.0 + by.0, from.1 + by.1),
            None => (self.lat, self.lng),
        }
    }

    pub(super) fn is_moving(&self) -> bool {
        self.motion.is_some()
    }

    /// Advances the animation by `seconds`.
    pub(super) fn step(&mut self, seconds: f32) {
        let Some(mut motion) = self.motion.take() else { return };
        motion.elapsed += seconds;
        let time = (motion.elapsed / motion.length).min(1.0);
        let left = 1.0 - time;
        let way = match motion.thrown {
            true => 1.0 - left * left * left * left,
            false => time * time * (3.0 - 2.0 * time),
        };
        let (from, by) = (motion.from, motion.by);
        self.look(from.0 + by.0 * way, from.1 + by.1 * way);
        if let Some((from, to)) = motion.zoom {
            // The distance shrinks linearly, so the approach looks equally fast all the way.
            self.zoom = 1.0 / (1.0 / from + (1.0 / to - 1.0 / from) * way);
        }
        if time < 1.0 {
            self.motion = Some(motion);
        }
    }

    fn look(&mut self, lat: f32, lng: f32) {
        self.lat = lat.clamp(-STEEPEST, STEEPEST);
        self.lng = wrapped(lng);
    }
}

/// Normalises a longitude to −180…180.
fn wrapped(lng: f32) -> f32 {
    lng - 360.0 * ((lng + 180.0) / 360.0).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_takes_the_shorter_way_and_arrives() {
        let mut camera = Camera::at(10.0, 170.0);
        let length = camera.fly(-20.0, -170.0);
        camera.step(length / 2.0);
        assert!((camera.lng.abs() - 180.0).abs() < 0.01 && (camera.lat + 5.0).abs() < 0.01);
        assert!(camera.is_moving());
        camera.step(length);
        assert!((camera.lng + 170.0).abs() < 0.01 && (camera.lat + 20.0).abs() < 0.01);
        assert!(!camera.is_moving());
    }

    #[test]
    fn a_flight_can_come_nearer_and_ends_at_its_zoom() {
        let mut camera = Camera::at(0.0, 0.0);
        let length = camera.fly_near(10.0, 20.0, 4.0);
        camera.step(length / 2.0);
        assert!((1.5..2.0).contains(&camera.zoom), "{}", camera.zoom);
        camera.step(length);
        assert_eq!((camera.lat, camera.lng, camera.zoom), (10.0, 20.0, 4.0));
        camera.fly_near(0.0, 0.0, 1_000.0);
        camera.step(10.0);
        assert_eq!(camera.zoom, NEAREST);
    }

    #[test]
    fn a_hand_ends_what_was_in_motion() {
        let mut camera = Camera::at(0.0, 0.0);
        for interrupt in [Camera::stop as fn(&mut Camera), |camera| camera.jump(1.0, 2.0)] {
            camera.fly(50.0, 50.0);
            camera.step(0.1);
            interrupt(&mut camera);
            let before = (camera.lat, camera.lng);
            camera.step(1.0);
            assert_eq!((camera.lat, camera.lng), before);
        }
    }

    #[test]
    fn it_is_as_fast_at_every_frame_rate() {
        let end = |frames: u16| {
            let mut camera = Camera::at(0.0, 0.0);
            camera.throw(0.0, 90.0);
            (0..frames).for_each(|_| camera.step(0.5 / f32::from(frames)));
            camera.lng
        };
        assert!((end(15) - end(72)).abs() < 0.01, "{} {}", end(15), end(72));
    }

    #[test]
    fn it_never_stands_on_its_head_nor_goes_through_the_ground() {
        let mut camera = Camera::at(0.0, 0.0);
        camera.turn(400.0, 400.0);
        assert_eq!((camera.lat, camera.lng), (STEEPEST, 40.0));
        camera.zoom_by(100.0);
        assert_eq!(camera.zoom, NEAREST);
        camera.zoom_by(0.0);
        assert_eq!(camera.zoom, 1.0);
    }
}
