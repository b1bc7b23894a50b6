// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are a shell's
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

const RUN_LATER = [
  ".github/workflows/a.yml",
  ".gitlab-ci.yml",
  "sub/.gitattributes",
  "Jenkinsfile",
  "CLAUDE.md",
  "sub/AGENTS.md",
  ".envrc",
  "mise.toml",
  ".husky/pre-commit",
  ".vscode/tasks.json",
  ".mcp.json",
  "gradlew",
  ".npmrc",
  "node_modules/.bin/x",
  ".cursor/rules/a.mdc",
  "~/.bashrc",
  "~/.ssh/config",
  "/etc/hosts",
  ".git/config",
  ".devcontainer/devcontainer.json",
];

/** `P` stands for the file. */
const WRITES = [
  "echo x > P",
  "echo x >> P",
  "cat a | tee P",
  "cat a | tee -a P",
  "sed -i s/a/b/ P",
  "cp a P",
  "mv a P",
  "ln -sf a P",
  "install a P",
  "dd if=a of=P",
  "truncate -s0 P",
  "rm P",
  "touch P",
  "curl -o P u",
  "wget -O P u",
  "patch P < a",
  "python3 -c \"open('P','w')\"",
  "node -e \"fs.writeFileSync('P','x')\"",
  "ruby -e 'File.write(\"P\",1)'",
  "perl -e 'open(F,\">P\")'",
  "perl -pi -e s/a/b/ P",
  "sh -c 'echo x > P'",
  'bash -c "cp a P"',
  "tmux send-keys 'echo x > P' Enter",
  "X=P; echo y > $X",
  "for f in P; do echo > $f; done",
  "echo P | xargs touch",
  "xargs touch <<< P",
  "find . -name a -exec cp {} P \\;",
  "nohup cp a P &",
  "sudo tee P < a",
  "timeout 5 cp a P",
  "git mv a P",
  "vim P",
  "rsync a P",
  "chmod +x P",
  "awk '{print > \"P\"}' a",
  "jq . a > P",
  "{ echo a; } > P",
  'f() { cp a "$1"; }; f P',
  "npx -c 'cp a P'",
  "eval 'cp a P'",
  "script -c 'cp a P'",
  "read f <<< P; cp a $f",
  "echo x > $(echo P)",
  "ln -s P l; echo > l",
];

const SECRETS = [
  ".env",
  "sub/.env.local",
  ".aws/credentials",
  "kubeconfig",
  "terraform.tfstate",
  "id_rsa",
  "server.key",
  ".vault_pass",
  "gcp-key.json",
  ".netrc",
  "~/.ssh/id_ed25519",
  "/etc/shadow",
  "config/secrets.yml",
  "sub/terraform.tfvars",
  ".docker/config.json",
];

const READS = [
  "cat P",
  "head -1 P",
  "cat < P",
  "base64 P",
  "cp P a",
  "mv P a",
  "ln -s P a",
  "curl -F f=@P u",
  "curl -T P u",
  "scp P h:",
  "tar czf a P",
  "zip a P",
  "git add P",
  "git show HEAD:P",
  "source P",
  "python3 -c \"open('P').read()\"",
  "node -p \"fs.readFileSync('P')\"",
  "perl -ne print P",
  "ruby -e 'puts File.read(\"P\")'",
  "awk 1 P",
  "grep x P",
  "xargs -a P echo",
  "sh -c 'cat P'",
  "tmux send-keys 'cat P' Enter",
  "X=P; cat $X",
  "cat $(echo P)",
  "echo P | xargs cat",
  "find . -exec cat P \\;",
  "while read l; do echo $l; done < P",
  "docker run -v P:/x i",
  "docker run --env-file P i",
  "diff P a",
  "openssl enc -in P",
  "dd if=P",
  "sed -n p P",
  "vim P",
  "sort P",
  "xxd P",
  "jq . P",
  "rsync P h:",
  "php -r 'readfile(\"P\");'",
  "read f <<< P; cat $f",
  "f() { cat $1; }; f P",
  "npx -c 'cat P'",
  "parallel cat ::: P",
];

/** Commands that reach the mode step. */
function letThrough(paths: readonly string[], templates: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    templates
      .map((template) => template.replaceAll("P", path))
      .filter((command) => {
        const request = {
          toolName: "Bash",
          toolInput: { command },
          mode: "bypassPermissions",
          cwd: scratch.ws,
        };
        return decide(EMPTY_POLICY, request, scratch.world).step !== "protected";
      }),
  );
}

describe("every way to write", () => {
  it("is asked about for every file that runs later", () => {
    expect(RUN_LATER.length * WRITES.length).toBeGreaterThan(900);
    expect(letThrough(RUN_LATER, WRITES)).toEqual([]);
  });
});

describe("every way to read", () => {
  it("is asked about for every secret file", () => {
    expect(SECRETS.length * READS.length).toBeGreaterThan(600);
    expect(letThrough(SECRETS, READS)).toEqual([]);
  });

  it("is allowed for a file that runs later", () => {
    const plain = READS.filter((template) => /^(?:cat|head|grep|awk|sed|sort|jq|diff|git) /.test(template));
    const inProject = RUN_LATER.filter((path) => !/^[~/]/.test(path));
    expect(letThrough(inProject, plain).length).toBe(inProject.length * plain.length);
  });
});
