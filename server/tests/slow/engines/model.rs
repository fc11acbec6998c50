//! Deliveries under random histories, compared with a simple model of the events that each subscriber must receive.

mod endpoint;
mod history;
mod judge;

use proptest::prelude::*;

use self::history::{Step, World, step};

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

async fn walk(steps: &[Step]) {
    let mut world = World::new().await;
    for step in steps {
        world.walk(step).await;
    }
    world.end().await;
}
