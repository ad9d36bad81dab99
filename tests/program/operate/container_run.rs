//! The container: its second stage is built and run by buildah. The first stage, a build by cargo in an image from a registry, is
//! not: the program that this test was built with takes its place. Of the first stage only what it copies is tried: cargo has
//! to find every target there.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use super::container::{FILE, IGNORED};
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

fn copy_tree(from: &Path, to: &Path, but: &[&str]) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if but.iter().any(|but| name == *but) {
            continue;
        }
        if path.is_dir() {
            copy_tree(&path, &to.join(name), &[]);
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

#[test]
fn what_the_first_stage_copies_is_a_whole_package_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let context = folder.path().join("context");
    let secret = ["target", ".git", "parlor-data", "config.toml"];
    copy_tree(Path::new(env!("CARGO_MANIFEST_DIR")), &context, &secret);
    for folder in &secret[..3] {
        fs::create_dir(context.join(folder)).unwrap();
        fs::write(context.join(folder).join("secret"), "secret").unwrap();
    }
    fs::write(context.join("config.toml"), "secret").unwrap();
    let (_, first) = FILE.split_once("WORKDIR /src").unwrap();
    let (copied, _) = first.split_once("RUN ").unwrap();
    let file = folder.path().join("Containerfile");
    fs::write(&file, format!("FROM scratch\nWORKDIR /src{copied}")).unwrap();
    fs::write(folder.path().join("Containerfile.dockerignore"), IGNORED).unwrap();
    let copied = folder.path().join("copied");
    let [file, context, output] = [&file, &context, &copied].map(|path| path.to_str().unwrap().to_owned());
    buildah(
        folder.path(),
        &["build", "--quiet", "-f", &file, "--output", &output, &context],
    )
    .unwrap_or_else(|why| panic!("buildah, of Debian's package: {why}"));
    let copied = copied.join("src");
    for secret in secret {
        assert!(!copied.join(secret).exists(), "{secret} is copied");
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let read = Command::new(cargo)
        .args([
            "metadata",
            "--format-version=1",
            "--offline",
            "--locked",
            "--no-deps",
        ])
        .current_dir(&copied)
        .output()
        .unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let package: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
    let targets = package["packages"][0]["targets"].as_array().unwrap();
    assert!(targets.len() > 10, "{targets:?}");
    for target in targets {
        let path = target["src_path"].as_str().unwrap();
        assert!(Path::new(path).is_file(), "{path} is missing");
    }
}
