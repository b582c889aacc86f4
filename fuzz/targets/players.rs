//! Descriptions of players, match files, and the terms of a sequential test.

#![no_main]

mod common;

use clap::Parser;
use flipside::cli::match_engines::MatchArgs;
use flipside::referee::spec::PlayerSpec;
use flipside::referee::statistics::sprt::Sprt;
use libfuzzer_sys::fuzz_target;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    args: MatchArgs,
}

fuzz_target!(|text: &str| {
    let _ = PlayerSpec::from_line(text);
    if let Ok(sprt) = text.parse::<Sprt>() {
        let (lower, upper) = sprt.bounds();
        assert!(lower < upper, "{lower} {upper}");
    }
    common::with_file(text, |path| {
        let path = path.to_str().expect("a name in ASCII");
        let arguments = Arguments::try_parse_from(["match", "--config", path]).expect("arguments");
        let _ = arguments.args.plan();
    });
});
