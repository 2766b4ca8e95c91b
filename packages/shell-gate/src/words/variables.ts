/** Variables of the environment whose value may be shown: they say where and who, and hold no secret. */
const SHOWN =
  /^(?:HOME|USER|LOGNAME|PWD|OLDPWD|SHELL|LANG|LC_[A-Z]+|TERM|HOSTNAME|UID|EUID|RANDOM|SECONDS|LINENO|BASH_VERSION|HOSTTYPE|OSTYPE|MACHTYPE|COLUMNS|LINES|PATH|BASHPID|PPID|EPOCHSECONDS|REPLY)$/;

/** Variables that a command may be given: they change words and colours, not what is read, written or run. */
const HARMLESS_FOR_COMMANDS =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|CLICOLOR|FORCE_COLOR|CI|COLUMNS|LINES)$/;

/** Names that the shell or the commands it starts act on, should they be in the environment already. */
const POWERFUL = [
  /^(?:PATH|IFS|ENV|CDPATH|HOME|PWD|OLDPWD|SHELL|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|GLOBIGNORE|EXECIGNORE)$/,
  /^(?:FIGNORE|FUNCNEST|HIST|INPUTRC|MAIL|OPT|POSIXLY_CORRECT|TIMEFORMAT|TMOUT|TMPDIR|TEMP|TMP|COMP|DIRSTACK|GROUPS)/,
  /^(?:BASH|LD_|DYLD_|GCONV|LOCPATH|NLSPATH|TEXTDOMAIN|HOSTALIASES|RES_OPTIONS|RESOLV|MALLOC|GLIBC|TERM|LS_|TZDIR)/,
  /^(?:GIT|SSH|GPG|LESS|MORE|MAN|PAGER|EDITOR|VISUAL|BROWSER|GREP|RIPGREP|AWK|TAR|GZIP|BZIP|XZ|ZSTD|ZIP|UNZIP|RSYNC)/,
  /^(?:NODE|NPM|PYTHON|PERL|RUBY|JAVA|JAVASCRIPT|MAKE|CURL|WGET|XDG|DIFF|JQ|FZF|QUOTING|TIME_STYLE|BLOCK|DF|DU|SUDO)/,
  /^npm_|_proxy$|_PROXY$/i,
];

export function mayBeShown(name: string): boolean {
  return SHOWN.test(name);
}

/** For `NAME=value command`, `env` and `export`: the command certainly sees it. */
export function mayBeGiven(name: string, value: string | undefined): boolean {
  if (!HARMLESS_FOR_COMMANDS.test(name) || value === undefined) return false;
  // A time zone or locale may also be named by a file.
  return /^[\w.@+-]*(?:\/[\w+-]+)*$/.test(value) && !value.startsWith("/") && !value.includes("..");
}

/** For `NAME=value` alone, `for`, `read` and `unset`: seen by commands only where the environment has it already. */
export function mayBeSet(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name !== "_" && !POWERFUL.some((pattern) => pattern.test(name));
}
