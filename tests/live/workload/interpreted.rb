# frozen_string_literal: true

# SPDX-License-Identifier: BSD-2-Clause
# A program whose chains of calls are known: each sample in work has one of a few chains. The argument is the number of rounds.
def burn
  i = 0
  i += 1 while i < 20_000
  i
end

def recurse(depth)
  depth > 0 ? recurse(depth - 1) : burn
end

class Worker
  def self.make
    new.run { burn }
  end

  def run
    yield
  end
end

def blocks
  [1, 2].each { |x| 1.upto(x) { burn } }
end

def sorted
  [3, 1, 2].sort { |a, b| burn && a <=> b }
end

def fiber
  Fiber.new { Fiber.new { burn }.resume }.resume
end

def work
  recurse(5)
  Worker.make
  blocks
  sorted
  fiber
end

def rounds(count)
  count.times { work }
end

# A long name, and a file name with control characters.
eval("def #{'n' * 100_000} = burn", binding, "ev\e[31mil.rb", 1)

count = Integer(ARGV[0])
rounds(count)
Thread.new { rounds(count) }.join
count.times { send("n" * 100_000) }
sleep 0.1 # the last stacks are read before the code is freed
