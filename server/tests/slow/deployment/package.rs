//! The Debian package, the image and the list of components. The tests run where the programs that make them are
//! installed, for example by `make package`.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::programs::skipped;

const IMAGE: &str = include_str!("../../../../packaging/Containerfile");

/// Root folder of the repository.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Output of a command that has to succeed.
fn done(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", said(&output));
    said(&output)
}

/// Builds the package in a folder; `None` without cargo-deb.
fn package() -> Option<(TempDir, PathBuf)> {
    let version = Command::new("cargo").args(["deb", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        skipped("the tests of the package: they need cargo-deb, which `make package` installs");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.deb");
    let profile = Path::new(env!("CARGO_BIN_EXE_svc")).parent().unwrap().file_name().unwrap();
    let mut command = Command::new("cargo");
    command.args(["deb", "--package=svc", "--no-build", "--no-strip", "--fast", "--offline"]);
    command.arg("--profile").arg(profile).arg("--output").arg(&file).current_dir(repository());
    done(&mut command);
    Some((folder, file))
}

#[test]
fn the_package_has_the_program_its_unit_its_settings_and_its_user() {
    let Some((_folder, file)) = package() else { return };
    let listed = done(Command::new("dpkg-deb").arg("--contents").arg(&file));
    let files: Vec<(&str, &str)> = listed
        .lines()
        .map(|line| (line.split(' ').next().unwrap(), line.rsplit(' ').next().unwrap()))
        .filter(|(_, name)| !name.ends_with('/'))
        .collect();
    for file in [
        ("-rwxr-xr-x", "./usr/bin/svc"),
        ("-rw-r--r--", "./usr/lib/systemd/system/svc.service"),
        ("-rw-r--r--", "./usr/lib/sysusers.d/svc.conf"),
        ("-rw-r-----", "./etc/svc/svc.toml"),
        ("-rw-r--r--", "./usr/share/doc/svc/.env.example"),
        ("-rw-r--r--", "./usr/share/doc/svc/docs/operate/install.md"),
        ("-rw-r--r--", "./usr/share/doc/svc/NOTICE"),
        ("-rw-r--r--", "./usr/share/doc/svc/copyright"),
        ("-rw-r--r--", "./usr/share/doc/svc/changelog.Debian.gz"),
    ] {
        assert!(files.contains(&file), "{file:?} in {files:?}");
    }
    let version = done(Command::new("dpkg-deb").arg("--field").arg(&file).arg("Version"));
    assert!(version.starts_with(env!("CARGO_PKG_VERSION")), "{version}");
}

/// Installing a package needs a separate mount namespace, which only root can create. Other users test the extracted
/// files.
#[test]
fn the_package_is_installed_runs_is_upgraded_removed_and_purged() {
    let Some((folder, file)) = package() else { return };
    let may_mount = Command::new("unshare").args(["--mount", "true"]).output();
    if may_mount.is_ok_and(|output| output.status.success()) {
        let tried = done(Command::new(repository().join("packaging/try")).arg("deb").arg(&file));
        assert!(tried.ends_with("try: nothing stays\n"), "{tried}");
        return;
    }
    let root = folder.path().join("root");
    done(Command::new("dpkg-deb").arg("--extract").arg(&file).arg(&root));
    let version = done(Command::new(root.join("usr/bin/svc")).arg("--version"));
    assert_eq!(version, format!("svc {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
#[ignore = "boots a system, in make package"]
fn the_package_works_under_systemd() {
    let Some((_folder, file)) = package() else { return };
    let may_mount = Command::new("unshare").args(["--mount", "true"]).output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        return skipped("the package under systemd: that needs root");
    }
    let tried = done(Command::new(repository().join("packaging/try")).arg("systemd").arg(&file));
    match tried.lines().last().and_then(|line| line.strip_prefix("try: ")) {
        Some(reason) if reason.starts_with("skipped: ") => skipped(reason),
        last => assert_eq!(last, Some("systemd does not try again"), "{tried}"),
    }
}

#[test]
#[ignore = "needs buildah, in make package"]
fn the_image_is_the_same_each_time_and_keeps_its_health_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("image/data")).unwrap();
    std::fs::write(path("image/Containerfile"), IMAGE).unwrap();
    std::fs::write(path("image/svc"), "binary").unwrap();
    let images = ["one.tar", "two.tar"].map(|name| {
        let mut image = Command::new(repository().join("scripts/image"));
        done(image.arg(path("image")).arg(path(name)));
        std::fs::read(path(name)).unwrap()
    });
    assert!(images[0] == images[1]);
    done(Command::new("tar").arg("-xf").arg(path("one.tar")).current_dir(folder.path()));
    let json = |file: &Path| -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
    };
    let blob = |found: &serde_json::Value| {
        json(&path("blobs").join(found["digest"].as_str().unwrap().replace(':', "/")))
    };
    let manifest = blob(&json(&path("index.json"))["manifests"][0]);
    let config = &blob(&manifest["config"])["config"];
    assert_eq!(config["Healthcheck"]["Test"], serde_json::json!(["CMD", "/svc", "health"]));
    assert_eq!(config["User"], "65532:65532");
}

#[test]
#[ignore = "needs cargo-cyclonedx, in make package"]
fn the_components_of_the_binary_are_listed_with_versions_and_licences() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.cdx.json");
    done(Command::new(repository().join("scripts/sbom")).arg(&file));
    let text = std::fs::read_to_string(file).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["bomFormat"], "CycloneDX");
    assert_eq!(document["metadata"]["component"]["name"], "svc");
    let components = document["components"].as_array().unwrap();
    let named = |name: &str| components.iter().find(|component| component["name"] == name);
    for name in ["tokio", "leptos", "glibc", "sqlite"] {
        let found = named(name).unwrap_or_else(|| panic!("{name}"));
        assert!(found["version"].is_string() && found["licenses"][0].is_object(), "{found}");
    }
    // Dependencies of tests and tools are not in the binary.
    assert!(named("proptest").is_none() && named("bench").is_none());
    assert!(!text.contains(repository().to_str().unwrap()));
}

#[test]
fn the_image_has_what_a_container_needs_and_runs_as_nobody() {
    let instruction = |name: &str| -> Vec<&str> {
        IMAGE.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
    };
    assert_eq!(instruction("FROM"), ["scratch"]);
    assert_eq!(instruction("USER"), ["65532:65532"]);
    assert_eq!(instruction("ENTRYPOINT"), [r#"["/svc"]"#]);
    assert_eq!(instruction("CMD"), [r#"["serve"]"#]);
    let [variables] = instruction("ENV")[..] else { panic!("one line") };
    let known = super::variables();
    for variable in variables.split(' ') {
        let (name, _) = variable.split_once('=').unwrap();
        // `SQLITE_TMPDIR` is a variable of SQLite. It is needed because the image has no /tmp.
        assert!(known.contains(name) || name == "SQLITE_TMPDIR", "{name}");
    }
    assert!(variables.contains("SQLITE_TMPDIR=/var/lib/svc "), "{variables}");
    // nginx in the example with several nodes connects to this port.
    assert!(variables.contains("SVC_ADDR=0.0.0.0:3000 "), "{variables}");
    let [healthcheck] = instruction("HEALTHCHECK")[..] else { panic!("one") };
    assert!(healthcheck.ends_with(r#" CMD ["/svc", "health"]"#), "{healthcheck}");
}

#[test]
fn checksums_name_every_file_and_notice_one_that_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("container")).unwrap();
    for name in ["svc 1.deb", "container/svc"] {
        std::fs::write(path(name), name).unwrap();
    }
    let write = || done(Command::new(repository().join("scripts/checksums")).arg(folder.path()));
    let check = || {
        let mut check = Command::new("sha256sum");
        check.args(["--check", "--strict", "SHA256SUMS"]).current_dir(folder.path());
        let output = check.output().unwrap();
        (output.status.success(), said(&output))
    };
    for _ in 0..2 {
        write();
        assert_eq!(check(), (true, "container/svc: OK\nsvc 1.deb: OK\n".to_owned()));
    }
    std::fs::write(path("container/svc"), "another").unwrap();
    let (is_fine, text) = check();
    assert!(!is_fine && text.starts_with("container/svc: FAILED\n"), "{text}");
}
