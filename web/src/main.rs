//! Puts Proem's pages into the document.

fn main() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(proem_web::app::App);
}
