/**
 * Exports the library: the engine, its interfaces, and the whole server as one function. Importing it loads no web
 * framework, reads no settings and starts nothing.
 */
export { LocalTerminalManager } from './terminal/terminal-manager.js';
export { RemoteTerminalManager } from './host/remote-manager.js';
export type { UpgradedHost } from './host/all-hosts.js';
export type { RemoteOptions } from './host/options.js';
export { bufferBytesFor, DEFAULT_ENGINE_OPTIONS } from './contract/options.js';
export type { EngineLog, EngineOptions, LogLevel } from './contract/options.js';

export type { Caller } from './contract/caller.js';
export type {
  ByOptions,
  CreateOptions,
  HoldOptions,
  InputOrder,
  ManagerSummary,
  Subscription,
  TerminalManager,
  WaitOptions,
  Watch,
  WriteOptions,
} from './contract/manager.js';
export type {
  CommandChangeEvent,
  ControlEvent,
  EndEvent,
  ExitEvent,
  GapEvent,
  NoticeEvent,
  OutputEvent,
  ResizeEvent,
  TerminalEvent,
  TitleEvent,
} from './contract/event.js';
export { managerEvent, watchTerminals } from './contract/watch.js';
export type { ManagerEvent, ManagerEventType, WatchedEvent, WatchTerminals } from './contract/watch.js';
export { controlled, controlTerminal } from './contract/control.js';
export type { Controlled, ControlTerminal, Holder } from './contract/control.js';
export {
  collectCommand,
  commandRecord,
  commandResult,
  execCommand,
  execInNewTerminal as execInNewTerminalRequest,
  inputWait,
  listCommands,
  waitFor,
  waitResult,
} from './contract/command.js';
export type {
  CollectCommand,
  CommandRecord,
  CommandResult,
  CommandState,
  ExecCommand,
  ExecInNewTerminal,
  InputWait,
  ListCommands,
  WaitFor,
  WaitResult,
} from './contract/command.js';
export type { ListOverview, OverviewTerminal } from './contract/overview.js';
export type { AnswerQuestion, Question } from './contract/waiting.js';
export { commandStarted, followedResult, outputPiece } from './contract/command-stream.js';
export type { CommandEvent, CommandStarted, FollowedResult, OutputPiece } from './contract/command-stream.js';
export { execInNewTerminal, followExecInNewTerminal } from './calls/exec-in-new-terminal.js';
export { followCommand, followExec } from './calls/follow-command.js';
export { followProgram, runProgram } from './calls/run-program.js';
export { followedProgram, programResult, programStarted, runProgram as runProgramRequest } from './contract/program.js';
export type { FollowedProgram, ProgramEvent, ProgramResult, ProgramStarted, RunProgram } from './contract/program.js';
export { outputPage, readOutput, terminalScreen, terminalSnapshot, terminalStats } from './contract/output.js';
export type { OutputPage, ReadOutput, TerminalScreen, TerminalSnapshot, TerminalStats } from './contract/output.js';
export { recordingOf } from './recording/open-recording.js';
export type { RecordedEvent, Recording, RecordingHead } from './recording/recording.js';
export type { ReadRecording, ReadTrack, TrackedSize, TrackPage, TrackPoint } from './contract/recording.js';
export { searchOutput, searchResult } from './contract/search.js';
export type { SearchMatch, SearchOutput, SearchResult } from './contract/search.js';
export { terminalLabels } from './contract/labels.js';
export { terminalName } from './contract/name.js';
export type { TerminalLabels } from './contract/labels.js';
export {
  createTerminal,
  killTerminal,
  listTerminals,
  sendSignal,
  terminalDetail,
  terminalInput,
  terminalSize,
  terminalSummary,
  updateTerminal,
} from './contract/terminal.js';
export type {
  CreateTerminal,
  KillTerminal,
  ListTerminals,
  SendSignal,
  SignalName,
  TerminalDetail,
  TerminalInput,
  TerminalSize,
  TerminalStatus,
  TerminalSummary,
  UpdateTerminal,
} from './contract/terminal.js';

export { createCommandPolicy } from './access/policy/create-command-policy.js';
export type { DescribedPolicy, PolicyOptions } from './access/policy/create-command-policy.js';
export type {
  ApprovalRequest,
  AskForApproval,
  CommandPermit,
  CommandPolicy,
  CommandRequest,
} from './access/policy/command-policy.js';
export { policed } from './access/policy/policed-manager.js';
export type { PolicedOptions } from './access/policy/policed-manager.js';
export { commandPolicyDescription } from './access/policy/policy-description.js';
export type { CommandPolicyDescription } from './access/policy/policy-description.js';

export { endOnSignal } from './end-on-signal.js';
export { ERROR_KINDS, TerminalError } from './errors.js';
export type { ErrorCode, ErrorDetails, InputIssue } from './errors.js';

export { resolveOptions } from './config.js';
export type { Options, ResolvedOptions, SettingSources } from './config.js';
export { startServer } from './server.js';
export type { RunningServer } from './server.js';
export { VERSION } from './version.js';
