<?php
// SPDX-License-Identifier: BSD-2-Clause
// A program whose chains of calls are known: each sample in work has one of a few chains. The argument is the number of rounds.
function burn(): int
{
    $i = 0;
    while ($i < 200000)
        $i++;
    return $i;
}

function recurse(int $depth): int
{
    return $depth > 0 ? recurse($depth - 1) : burn();
}

class Worker
{
    public static function make(): int
    {
        return (new Worker)->run(fn () => burn());
    }

    private function run(callable $call): int
    {
        return $call();
    }
}

function mapped(): void
{
    array_map(function ($x) {
        burn();
    }, [1, 2]);
}

function values(): Generator
{
    burn();
    yield 1;
    burn();
}

function generated(): void
{
    foreach (values() as $value)
        burn();
}

function fiber(): void
{
    (new Fiber(fn () => (new Fiber('burn'))->start()))->start();
}

function work(): void
{
    recurse(5);
    Worker::make();
    mapped();
    generated();
    fiber();
}

// A long name.
eval('function ' . str_repeat('n', 100000) . '() { return burn(); }');

function named(): void
{
    (str_repeat('n', 100000))();
}

for ($i = 0; $i < $argv[1]; $i++) {
    work();
    named();
}
usleep(100000); // the last stacks are read before the code is freed
