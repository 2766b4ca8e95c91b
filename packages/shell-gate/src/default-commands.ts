/** What may run without asking where the configuration names nothing else; each only as far as its rules know it. */
export const DEFAULT_ALLOWED_COMMANDS: readonly string[] = [
  // Reading text
  ..."cat tac rev nl head tail wc sort uniq cut tr paste join comm fold fmt expand unexpand column strings".split(
    " ",
  ),
  ..."od hexdump xxd base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum".split(
    " ",
  ),
  ..."cmp diff file grep egrep fgrep rg sed awk gawk mawk jq zcat".split(" "),
  // Looking at files
  ..."ls tree stat du df realpath readlink find".split(" "),
  // Changing files of the workspace
  ..."tee touch mkdir rmdir rm unlink truncate shuf chmod gzip gunzip bzip2 unzip cp mv ln dd tar".split(" "),
  // Neither
  ..."echo printf true false : yes sleep basename dirname expr seq pwd whoami id groups logname tty arch".split(
    " ",
  ),
  ..."nproc uname hostname uptime free cal which type date bc test [".split(" "),
  // Versions only
  ..."node npm python3 python make".split(" "),
  "git",
  // Commands that start another, which is judged too
  ..."nice nohup setsid stdbuf ionice timeout time env xargs bash sh command builtin exec".split(" "),
  // The shell's own
  ..."cd set export unset read break continue exit wait jobs".split(" "),
];

/**
 * The commands among them whose arguments must be written out, without patterns, and must not name whole
 * directories.
 */
export const DEFAULT_EXTRA_VALIDATION: readonly string[] = ["rm", "rmdir", "chmod", "kill", "pkill", "curl"];
