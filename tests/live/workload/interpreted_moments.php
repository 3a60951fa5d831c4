<?php
// SPDX-License-Identifier: BSD-2-Clause
// Calls php_moment() of the library $LIBRARY, which has a probe of the test, from all kinds of functions of PHP. Before each call, the stack
// that debug_backtrace() reports is written to the file $MOMENTS. The argument is the number of rounds.

$library = FFI::cdef('void php_moment(uint64_t number);', getenv('LIBRARY'));
$output = null; // until the program has warmed up
$count = 0;

// An entry of a backtrace has the line of the call, so the line at which a function stands is in the entry before it.
function moment(): int
{
    global $library, $output, $count;

    [$line, $number, $trace] = [__LINE__, $output ? getmypid() << 32 | ++$count : 0, debug_backtrace()]; $library->php_moment($number);
    if (!$output)
        return 1;
    $text = "moment $number\n";
    $file = __FILE__;
    foreach ([...$trace, ['function' => 'include']] as $entry) {
        // A fiber has a native stack of its own.
        if (($entry['class'] ?? '') == 'Fiber')
            break;
        $name = in_array($entry['function'], ['include', 'eval']) ? '{main}' : $entry['function'];
        if (isset($entry['class']))
            $name = strstr("{$entry['class']}\0", "\0", true) . "::$name";
        // A function that is written in C has no file.
        if ($file)
            $text .= "$name\t$file:$line\n";
        [$file, $line] = [$entry['file'] ?? '', $entry['line'] ?? 0];
    }
    fwrite($output, $text);
    return 1;
}

function recurse(int $depth): int
{
    return $depth > 0 ? recurse($depth - 1) : moment();
}

trait Loud
{
    public function shout(int $value): int
    {
        return moment() + $value;
    }
}

interface Shape
{
    public static function make(): static;
}

abstract class Base implements Shape
{
    public function __construct(protected int $value = 1)
    {
        moment();
    }

    public static function make(): static
    {
        moment();
        return new static(2);
    }

    abstract public function area(): int;
}

class Kinds extends Base implements ArrayAccess, IteratorAggregate, Countable, JsonSerializable
{
    use Loud;

    public function area(): int
    {
        return moment() + (fn () => recurse(1))();
    }

    public function __destruct()
    {
        moment();
    }

    public function __get(string $name): mixed
    {
        return moment();
    }

    public function __set(string $name, mixed $value): void
    {
        moment();
    }

    public function __isset(string $name): bool
    {
        return moment() == 1;
    }

    public function __call(string $name, array $arguments): mixed
    {
        return moment();
    }

    public static function __callStatic(string $name, array $arguments): mixed
    {
        return moment();
    }

    public function __invoke(int $x): int
    {
        return moment() + $x;
    }

    public function __toString(): string
    {
        moment();
        return 'kind';
    }

    public function __clone()
    {
        moment();
    }

    public function offsetExists(mixed $offset): bool
    {
        return moment() == 1;
    }

    public function offsetGet(mixed $offset): mixed
    {
        return moment();
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        moment();
    }

    public function offsetUnset(mixed $offset): void
    {
        moment();
    }

    public function getIterator(): Iterator
    {
        moment();
        return new ArrayIterator([1, 2]);
    }

    public function count(): int
    {
        return moment();
    }

    public function jsonSerialize(): mixed
    {
        return moment();
    }
}

enum Suit: string
{
    case Hearts = 'H';
    case Spades = 'S';

    public function label(): string
    {
        moment();
        return match ($this) {
            self::Hearts => 'h' . moment(),
            self::Spades => 's',
        };
    }
}

function kinds(): void
{
    $one = Kinds::make();
    $one->shout(1);
    $one->area();
    $one->absent;
    $one->other = 1;
    isset($one->third);
    $one->missing(1, 2);
    Kinds::lost();
    $one(3);
    "$one";
    $two = clone $one;
    $two[0] = isset($one[1]) ? $one[2] : 0;
    unset($two[3]);
    foreach ($one as $value)
        moment();
    count($one);
    json_encode(['one' => $one]);
    Suit::Hearts->label();
    $method = $one->shout(...);
    $method(1);
    (new ReflectionMethod($one, 'shout'))->invoke($one, 2);
    $made = new class(4) extends Kinds {
        public function area(): int
        {
            return moment() + parent::area();
        }
    };
    $made->area();
    spl_object_id($one);
}

function callbacks(): void
{
    array_map(fn ($x) => moment(), [1, 2]);
    array_map('recurse', [1, 2]);
    array_filter([1, 2], function ($x) {
        return recurse($x);
    });
    $list = [3, 1, 2];
    usort($list, function ($a, $b) {
        moment();
        return $a <=> $b;
    });
    array_walk($list, fn (&$x) => moment());
    array_reduce($list, fn ($sum, $x) => $sum + moment(), 0);
    call_user_func('recurse', 2);
    call_user_func_array([new Kinds(3), 'shout'], [1]);
    call_user_func('Kinds::make');
    preg_replace_callback('/a/', function ($match) {
        moment();
        return 'x';
    }, 'abab');
    iterator_apply($it = new ArrayIterator([1, 2]), fn () => moment() == 1);
    (function () {
        static $calls = 0;
        $calls += moment();
    })();
    $add = fn ($a) => fn ($b) => moment() + $a + $b;
    $add(1)(2);
    $by_name = 'recurse';
    $by_name(1);
    array_map(null, array_map(strlen(...), ['a']), [moment()]);
    ob_start(function ($text) {
        moment();
        return '';
    });
    echo 'x';
    ob_end_clean();
}

function numbers(int $n): Generator
{
    for ($i = 0; $i < $n; $i++)
        yield $i => moment();
    return recurse(1);
}

function lazily(iterable $items): Generator
{
    foreach ($items as $item)
        yield recurse($item);
}

function generators(): void
{
    foreach (lazily(numbers(2)) as $x)
        moment();
    $sent = (function () {
        try {
            $got = yield moment();
            yield moment() + $got;
        } finally {
            moment();
        }
    })();
    $sent->current();
    $sent->send(5);
    unset($sent);
    array_sum(iterator_to_array(numbers(2)));
    $fiber = new Fiber(function (int $x): int {
        moment();
        $inner = new Fiber(fn () => [recurse(2), Fiber::suspend(moment()), moment()]);
        $inner->start();
        Fiber::suspend($x);
        $inner->resume();
        foreach (numbers(1) as $y)
            moment();
        return moment();
    });
    $fiber->start(1);
    moment();
    $fiber->resume();
}

function exceptions(): void
{
    try {
        array_map(function ($x) {
            throw new RuntimeException('x' . moment());
        }, [1]);
    } catch (RuntimeException $e) {
        recurse(1);
    } finally {
        moment();
    }
    set_error_handler(function (int $number, string $text) {
        moment();
        return true;
    });
    echo $undefined;
    trigger_error('x', E_USER_NOTICE);
    restore_error_handler();
}

function code(): void
{
    eval('moment(); recurse(1);');
    eval('(fn () => moment())();');
    include $GLOBALS['included'];
    if (!function_exists('made_at_run_time'))
        eval('function made_at_run_time() { return recurse(1); }');
    made_at_run_time();
}

function handlers(): void
{
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, function (int $number) {
        moment();
    });
    posix_kill(posix_getpid(), SIGUSR1);
    for ($i = 0; $i < 100; $i++)
        $x = $i;
    pcntl_signal(SIGUSR1, SIG_DFL);
}

function child(): void
{
    $pid = pcntl_fork();
    if ($pid == 0) {
        work();
        posix_kill(posix_getpid(), SIGKILL);
    }
    pcntl_waitpid($pid, $status);
    moment();
}

function work(): void
{
    recurse(6);
    recurse(40);
    kinds();
    callbacks();
    generators();
    exceptions();
}

function round_of_all(int $number): void
{
    work();
    handlers();
    if ($number % 16 == 0)
        code();
    if ($number % 8 == 0)
        child();
}

$included = getcwd() . '/included.php';
file_put_contents($included, "<?php\nmoment();\narray_map(fn (\$x) => recurse(1),\n [1]);\n");
// Until the files that the program maps are known, stacks have no frames of PHP.
for ($start = hrtime(true); hrtime(true) < $start + 1e9;)
    round_of_all(0);
$output = fopen(getenv('MOMENTS'), 'a');
stream_set_write_buffer($output, 0);
for ($number = 0; $number < $argv[1]; $number++)
    round_of_all($number);
usleep(500000); // the last stacks are read before the code is freed
