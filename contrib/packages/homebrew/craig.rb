class Craig < Formula
  desc "Software model checker for C and Boogie built on Craig interpolation"
  homepage "https://example.org/craig"
  url "https://example.org/craig/craig-0.2.0.tar.gz"
  # `cargo xtask release` prints the checksum of the source archive.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    generate_completions_from_executable(bin/"craig", "completions")
    (man1/"craig.1").write Utils.safe_popen_read(bin/"craig", "man")
  end

  test do
    (testpath/"a.bpl").write "procedure main() { var x: int; x := 1; assert x > 0; }\n"
    assert_match "RESULT: true", shell_output("#{bin}/craig check a.bpl")
  end
end
