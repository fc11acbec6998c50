//! Service with its database on a separate file system, which the test fills up.

use std::{
    fs::File,
    process::{Command, Stdio},
};

use super::{SERVE, Scene};
use crate::{
    harness::{Ran, Svc},
    served::Served,
};

pub(super) struct Mounted {
    pub(super) scene: Scene,
    svc: Svc,
}

impl Mounted {
    /// Starts a service with `csv` imported; `None` where users cannot mount file systems.
    pub(super) async fn start(size: &str, csv: &str) -> Option<Self> {
        let svc = Svc::with_file();
        std::fs::create_dir_all(svc.path("disk")).unwrap();
        std::fs::write(svc.path("reports.csv"), csv).unwrap();
        let mount = format!("mount -t tmpfs -o size={size} tmpfs disk");
        let apart = |script: &str| {
            shell(&svc, "unshare", &["--user", "--map-root-user", "--mount"], script)
        };
        if !apart(&mount).output().is_ok_and(|mounted| mounted.status.success()) {
            eprintln!("not tried: this system lets no user mount a file system");
            return None;
        }
        let import = "$SVC db migrate >&2; $SVC reports import reports.csv >&2";
        let mut serve = apart(&format!("{mount}; {import}; exec $SVC {}", SERVE.join(" ")));
        serve.stderr(File::create(svc.path("log")).unwrap());
        let served = Served::of(serve).unwrap_or_else(|_| panic!("{}", super::logged(&svc)));
        // Each intermediate process replaced itself, so this process has the mounted file system.
        let pid = served.child.id();
        let scene = Scene::of(served, |arguments| {
            let ran = run(&svc, pid, &format!("$SVC {}", arguments.join(" ")));
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            serde_json::from_str(&ran.out).unwrap()
        });
        Some(Self { scene: scene.await, svc })
    }

    /// Runs a script in the mount namespace of the service.
    pub(super) fn run(&self, script: &str) -> Ran {
        run(&self.svc, self.scene.served.child.id(), script)
    }

    /// Fills the disk except for `free` KiB.
    pub(super) fn fill_up_to(&self, free: u32) {
        let ran = self.run(&format!(
            "cat /dev/zero > disk/filler 2> /dev/null || truncate -s -{free}K disk/filler"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }

    pub(super) fn logged(&self) -> String {
        super::logged(&self.svc)
    }
}

fn run(svc: &Svc, pid: u32, script: &str) -> Ran {
    let folder = svc.folder.path().display();
    let script = format!("cd {folder}; {script}");
    let target = pid.to_string();
    let flags = ["--target", &target, "--user", "--preserve-credentials", "--mount"];
    Ran::of(shell(svc, "nsenter", &flags, &script).output().unwrap())
}

fn shell(svc: &Svc, program: &str, flags: &[&str], script: &str) -> Command {
    let mut command = Command::new(program);
    command.args(flags).args(["sh", "-ec", script]).current_dir(svc.folder.path());
    command.env("SVC", env!("CARGO_BIN_EXE_svc"));
    command.env("DATABASE_URL", "sqlite://disk/svc.db").env("SVC_LOG_FORMAT", "text");
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}
