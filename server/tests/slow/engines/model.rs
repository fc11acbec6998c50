//! Deliveries under random histories, compared with a simple model of the events that each subscriber must receive.

mod endpoint;
mod history;
mod judge;

use proptest::prelude::*;

use model::ReportType;

use self::history::{Small, Step, World, step};

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..ProptestConfig::with_cases(
        crate::harness::property_cases(24)
    ) })]

    #[test]
    fn everybody_gets_what_is_theirs_and_nothing_else_whatever_happens(
        steps in prop::collection::vec(step(), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(walk(&steps));
    }
}

/// The restored backup has no lease of the dispatcher that died, so the event is sent again without a pause.
#[tokio::test]
async fn a_restored_backup_knows_no_lease_from_after_it() {
    let published = Small::Publish(vec![(0, ReportType::Spirit); 3]);
    let (die, small) = (Step::Die(0, 0, false), Step::Small);
    walk(&[small(published), small(Small::Save), die, small(Small::Lose)]).await;
}

async fn walk(steps: &[Step]) {
    let mut world = World::new().await;
    for step in steps {
        world.walk(step).await;
    }
    world.end().await;
}
