# Tells tenacitty where prompts and commands begin and end in this fish. Loading it again repairs what is missing. It
# exports nothing and leaves `$status` unchanged. Values of variables, which anyone may have set, are treated as text
# only: never as a number in arithmetic or as a command.

# One printf is one write to the terminal: no other output can come in between.
function __tenacitty_mark
    builtin printf '\e]7717;%s;%s\a' @NONCE@ $argv[1] >/dev/tty
end

# If a mark cannot carry the directory, or PWD is no longer its name, tenacitty asks the system for it.
function __tenacitty_place
    set -g __tenacitty_here $PWD
    set -l real (builtin realpath /proc/self/cwd 2>/dev/null | string collect)
    set -l named (builtin realpath -- "$PWD" 2>/dev/null | string collect)
    if string match -qr '[[:cntrl:]]' -- "$PWD"; or test (string length -- "$PWD") -gt 200
        set -g __tenacitty_here ''
    else if test -n "$real"; and test "$named" != "$real"
        set -g __tenacitty_here ''
    end
end

# The line of a command (see `commandLine`) evaluates `__tenacitty_text`. The line empties the variable first, so that
# nothing runs if this function is missing. A number runs only once, and only if its start can be reported.
function __tenacitty_c
    set -l last_status $status
    if test "$argv[1]" != "$__tenacitty_last"
        read -gz __tenacitty_text <@DIRECTORY@/$argv[1]
        if __tenacitty_mark "C;$argv[1];$fish_pid"
            set -g __tenacitty_last $argv[1]
            # If the first command cannot be redirected, `eval` itself would succeed. The text has a line of its own so
            # that messages about it stay the same.
            set -g __tenacitty_text "set -g __tenacitty_yes
$__tenacitty_text"
        else
            set -g __tenacitty_text
        end
    end
    return $last_status
end
# The line has stored its number and status in `__tenacitty_end`: if this function is missing, the hook reports them.
function __tenacitty_d
    set -l noted (string replace -rf "^$argv[1]:" '' -- "$__tenacitty_end")
    set -g __tenacitty_here ''
    __tenacitty_place
    __tenacitty_mark "D;$argv[1];$noted;$fish_pid;$__tenacitty_here"
    return $noted
end

function __tenacitty_returned
    string match -qr '^[1-9][0-9]{0,10}$' -- "$__tenacitty_turn"; or set -g __tenacitty_turn 0
    set -g __tenacitty_turn (math $__tenacitty_turn + 1)
    set -g __tenacitty_here ''
    __tenacitty_place
    __tenacitty_mark "D;h$__tenacitty_turn;$argv[1]:$__tenacitty_end;$fish_pid;$__tenacitty_here"
end
function __tenacitty_preexec --on-event fish_preexec
    if not string match -q '*__tenacitty_c *' -- "$argv[1]"
        # If file sizes are limited, the write would end the shell; the line is then known from its echo.
        set -l line
        test (ulimit -f) = unlimited; and set line $argv[1]
        string join -- \n $line >@DIRECTORY@/typed
        __tenacitty_mark "C;0;$fish_pid"
    end
end
function __tenacitty_postexec --on-event fish_postexec
    set -l last_status $status
    __tenacitty_returned $last_status
end
function __tenacitty_cancel --on-event fish_cancel
    __tenacitty_returned 130
end

# Prompts show the status of the previous command.
function __tenacitty_status
    return $argv[1]
end

# Wraps the prompt in the form it has when it is first shown, no matter what defined it.
function __tenacitty_wrap --on-event fish_prompt
    string match -q '*__tenacitty_prompt*' -- (functions fish_prompt | string collect); and return
    if functions -q fish_prompt
        functions -e __tenacitty_prompt
        functions -c fish_prompt __tenacitty_prompt
    else
        function __tenacitty_prompt
            echo -n '> '
        end
    end
    function fish_prompt
        set -l last_status $status
        # This becomes part of the prompt, which is drawn later.
        builtin printf '\e]7717;%s;A;%s\a' @NONCE@ $fish_pid
        __tenacitty_status $last_status
        __tenacitty_prompt
        builtin printf '\e]7717;%s;B;%s\a' @NONCE@ $fish_pid
    end
end

# The mode indicator stands before the prompt and is part of it.
function __tenacitty_wrap_mode --on-event fish_prompt
    functions -q fish_mode_prompt; or return
    string match -q '*__tenacitty_mode*' -- (functions fish_mode_prompt | string collect); and return
    functions -e __tenacitty_mode
    functions -c fish_mode_prompt __tenacitty_mode
    function fish_mode_prompt
        builtin printf '\e]7717;%s;A;%s\a' @NONCE@ $fish_pid
        __tenacitty_mode
    end
end

# fish draws the right prompt after the prompt.
function __tenacitty_wrap_right --on-event fish_prompt
    functions -q fish_right_prompt; or return
    string match -q '*__tenacitty_right*' -- (functions fish_right_prompt | string collect); and return
    functions -e __tenacitty_right
    functions -c fish_right_prompt __tenacitty_right
    function fish_right_prompt
        set -l last_status $status
        builtin printf '\e]7717;%s;G;%s\a' @NONCE@ $fish_pid
        __tenacitty_status $last_status
        __tenacitty_right
        builtin printf '\e]7717;%s;H;%s\a' @NONCE@ $fish_pid
    end
end

# Two keys that no keyboard has: the first parks what the user has typed so far, after anything parked earlier; the
# second restores all of it.
function __tenacitty_park
    set -g __tenacitty_point (math (string length -- "$__tenacitty_line") + (commandline -C))
    set -l line (commandline | string collect)
    set -g __tenacitty_line "$__tenacitty_line$line"
    __tenacitty_drop
end
# A third key discards a terminal's reply that the querying program did not read.
function __tenacitty_drop
    commandline ''
    set -g fish_bind_mode default
    if test "$fish_key_bindings" = fish_vi_key_bindings
        set -g fish_bind_mode insert
    end
    commandline -f repaint
    __tenacitty_mark "R;$fish_pid;"(string length -- "$__tenacitty_line")
end
function __tenacitty_unpark
    set -l line (commandline | string collect)
    if test -n "$line"
        set -g __tenacitty_point (math (string length -- "$__tenacitty_line") + (commandline -C))
    end
    commandline -- "$__tenacitty_line$line"
    string match -qr '^[0-9]{1,9}$' -- "$__tenacitty_point"; or set -g __tenacitty_point 0
    commandline -C $__tenacitty_point
    set -g __tenacitty_line ''
end
# A fourth key asks whether the integration is present, even within `read`.
function __tenacitty_answer
    __tenacitty_mark "P;$fish_pid"
end
set -q __tenacitty_line; or set -g __tenacitty_line ''
for mode in default insert visual replace replace_one
    bind -M $mode \e\[7717~ __tenacitty_park
    bind -M $mode \e\[7718~ __tenacitty_unpark
    bind -M $mode \e\[7719~ __tenacitty_answer
    bind -M $mode \e\[7720~ __tenacitty_drop
end

__tenacitty_mark "I;$fish_pid;fish;$version"
