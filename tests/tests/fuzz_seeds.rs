//! What the fuzz targets try, tried on the seeds that are kept: a fault that was mended stays mended.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

/// Tries each seed of a target; the last one named is at fault.
fn try_seeds(target: &str, attempt: fn(&[u8])) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let seeds = proem_tests::files(&folder, "");
    assert!(seeds.len() > 10, "{} has {} seeds", folder.display(), seeds.len());
    for seed in seeds {
        println!("{}", seed.display());
        attempt(&std::fs::read(&seed).unwrap());
    }
}

#[test]
fn template_seeds() {
    try_seeds("template", fuzz::template);
}

#[test]
fn skill_file_seeds() {
    try_seeds("skill_file", fuzz::skill_file);
}

#[test]
fn preface_seeds() {
    try_seeds("preface", fuzz::preface);
}

#[test]
fn seed_seeds() {
    try_seeds("seed", fuzz::seed);
}
