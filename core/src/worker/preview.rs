//! The preview worker's side: carries out preview requests and remembers what it compiled and rendered.

use super::{PreviewAnswer, PreviewRequest};

/// Compiled templates and rendered parts, kept between requests.
#[derive(Default)]
pub struct Preview {}

impl Preview {
    /// Carries out one request. `progress` is called between parts, so that the host can show that it is alive.
    pub fn handle(&mut self, _request: PreviewRequest, _progress: &mut dyn FnMut()) -> PreviewAnswer {
        todo!()
    }
}
