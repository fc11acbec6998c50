mod history;
mod reruns;
