import { html, svg, type TemplateResult } from "lit";
import {
  Activity,
  Archive,
  Brain,
  FastForward,
  Camera,
  ArrowDown,
  Bell,
  CalendarClock,
  ChartColumn,
  Check,
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  Download,
  Ellipsis,
  FolderGit2,
  GitFork,
  type IconNode,
  Keyboard,
  LoaderCircle,
  Menu,
  MessagesSquare,
  Paperclip,
  PanelLeft,
  Plus,
  Pause,
  Pencil,
  Play,
  RotateCw,
  Search,
  SendHorizontal,
  Settings,
  ShieldCheck,
  Square,
  SquarePen,
  Trash,
  TriangleAlert,
  Undo2,
  Wrench,
  X,
} from "lucide";

const ICONS = {
  new: SquarePen,
  plus: Plus,
  search: Search,
  approvals: ShieldCheck,
  tasks: CalendarClock,
  workspace: FolderGit2,
  tools: Wrench,
  usage: ChartColumn,
  settings: Settings,
  archive: Archive,
  send: SendHorizontal,
  stop: Square,
  attach: Paperclip,
  memory: Brain,
  fast: FastForward,
  camera: Camera,
  more: Ellipsis,
  close: X,
  menu: Menu,
  side: PanelLeft,
  chat: MessagesSquare,
  open: ChevronRight,
  down: ArrowDown,
  alert: CircleAlert,
  done: CircleCheck,
  failed: CircleX,
  clock: Clock,
  edit: Pencil,
  fork: GitFork,
  download: Download,
  warning: TriangleAlert,
  busy: LoaderCircle,
  keys: Keyboard,
  again: RotateCw,
  check: Check,
  undo: Undo2,
  trash: Trash,
  activity: Activity,
  bell: Bell,
  pause: Pause,
  play: Play,
  first: ChevronFirst,
  last: ChevronLast,
  back: ChevronLeft,
} as const satisfies Readonly<Record<string, IconNode>>;

export type IconName = keyof typeof ICONS;

/** Always beside a word, or in something that has a name: screen readers pass it over. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon icon-${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${ICONS[name].map(([tag, attributes]) => shape(tag, attributes as Readonly<Record<string, string>>))}
  </svg>`;
}

function shape(
  tag: string,
  { d, cx, cy, r, x, y, width, height, rx, x1, y1, x2, y2 }: Readonly<Record<string, string>>,
) {
  if (tag === "circle") return svg`<circle cx=${cx} cy=${cy} r=${r}></circle>`;
  if (tag === "rect")
    return svg`<rect x=${x ?? 0} y=${y ?? 0} width=${width} height=${height} rx=${rx ?? 0}></rect>`;
  if (tag === "line") return svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
  return svg`<path d=${d}></path>`;
}

/** Deputy's own. */
export function logo(): TemplateResult {
  return html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8"></rect>
    <path d="M11 8h5.5a8 8 0 0 1 0 16H11z"></path>
  </svg>`;
}
