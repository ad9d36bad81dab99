//! The container: its second stage is built and run by buildah. The first stage, a build by cargo in an image from a registry, is
//! not: the program that this test was built with takes its place.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use super::container::FILE;
use crate::web::guest::get;
use crate::web::http;
use crate::web::wait_for;

/// Runs buildah; what it prints, or why it failed.
fn buildah(storage: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = command(storage, arguments)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn command(storage: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("buildah");
    command
        .arg("--root")
        .arg(storage.join("root"))
        .arg("--runroot")
        .arg(storage.join("run"))
        .args(["--storage-driver", "vfs"])
        .args(arguments)
        .env("BUILDAH_ISOLATION", "chroot");
    command
}

/// The libraries that the program needs, as the system names them.
fn libraries() -> Vec<String> {
    let listed = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_parlor"))
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let path = |line: &str| {
        line.split_whitespace()
            .find(|word| word.starts_with('/'))
            .map(str::to_owned)
    };
    listed.lines().filter_map(path).collect()
}

/// The processes that a process has started, with those that they have started.
fn descendants(id: u32) -> Vec<u32> {
    // Any thread may have started one.
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.unwrap().path().join("children")));
    let children: Vec<u32> = lists
        .flat_map(|list| {
            let list = list.unwrap_or_default();
            let children = list.split_whitespace().map(|child| child.parse().unwrap());
            children.collect::<Vec<u32>>()
        })
        .collect();
    children
        .into_iter()
        .flat_map(|child| [vec![child], descendants(child)].concat())
        .collect()
}

fn name_of(id: u32) -> String {
    let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
    name.trim_end().to_owned()
}

#[test]
fn the_container_is_built_and_answers_its_health_check() {
    let folder = tempfile::tempdir().unwrap();
    let buildah = |arguments: &[&str]| buildah(folder.path(), arguments);
    let good = |arguments: &[&str]| {
        buildah(arguments).unwrap_or_else(|why| panic!("buildah, of Debian's package, {arguments:?}: {why}"))
    };
    let base = good(&["from", "scratch"]);
    for library in libraries() {
        good(&["copy", "--quiet", &base, &library, &library]);
    }
    good(&["commit", "--quiet", &base, "localhost/parlor-base"]);
    let context = folder.path().join("context");
    fs::create_dir_all(context.join("data")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_parlor"), context.join("parlor")).unwrap();
    let (_, first) = FILE.split_once("FROM ${BUILD_IMAGE}").unwrap();
    let (_, second) = first.split_once("FROM ${RUN_IMAGE}").unwrap();
    let file = context.join("Containerfile");
    let built = "FROM scratch AS build\nCOPY parlor /parlor\nCOPY data /data\n";
    fs::write(&file, format!("{built}FROM localhost/parlor-base{second}")).unwrap();
    let [file, context] = [file, context].map(|path| path.to_str().unwrap().to_owned());
    good(&[
        "build",
        "--quiet",
        "--format=docker",
        "--pull-never",
        "-f",
        &file,
        "-t",
        "localhost/parlor",
        &context,
    ]);
    let container = good(&["from", "--pull-never", "localhost/parlor"]);
    // On a network with others a fixed port may be taken.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listen = format!("PARLOR_OPERATE_LISTEN={free}");
    let run = |arguments: &[&'static str]| {
        let program = [
            "run",
            "--env",
            &listen,
            "--env",
            "PARLOR_LOCAL_LISTEN=127.0.0.1:0",
            &container,
            "--",
        ];
        [&program[..], &["/usr/local/bin/parlor"], arguments].concat()
    };
    let checked = good(&run(&["config", "check"]));
    assert!(checked.contains("Store: /data/store"), "{checked}");
    let mut serving = command(folder.path(), &run(&["serve"]))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("the bot in the container", || {
        let answer = http::ask(free, "GET", "/readyz", &[], b"").ok()?;
        (answer.status == 200).then_some(())
    });
    assert_eq!(good(&run(&["health"])), "ok");
    assert!(get(free, "/metrics").text().contains("parlor_store_writable 1"));
    let bot = descendants(serving.id())
        .into_iter()
        .find(|id| name_of(*id) == "parlor")
        .unwrap();
    let killed = Command::new("kill").args(["-TERM", &bot.to_string()]).status();
    assert!(killed.unwrap().success());
    let ended = serving.wait().unwrap();
    assert_eq!(ended.code(), Some(0));
}
