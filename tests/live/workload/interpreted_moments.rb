# frozen_string_literal: true

# SPDX-License-Identifier: BSD-2-Clause
# Calls RubyMoments.moment from all kinds of frames of Ruby. The first argument is the number of rounds.
require "ruby_moments"
require "delegate"
require "monitor"
require "set"
require "tempfile"

def moment
  RubyMoments.moment
end

def RubyMoments.called_back
  moment
end

def recurse(depth)
  recurse(depth - 1) if depth > 0
  moment
end

module Loud
  def shout(value)
    moment
    super
  end
end

class Kinds
  include Comparable
  prepend Loud
  attr_reader :value

  def initialize(value = 1)
    @value = value
    RubyMoments.moment
  end

  def self.make(*values)
    RubyMoments.moment
    new(*values)
  end

  class << self
    def inherited(other)
      RubyMoments.moment
      super
    end

    def const_missing(name)
      RubyMoments.moment
      name
    end
  end

  def shout(value, key: moment)
    moment
    yield value if block_given?
    key
  end

  def <=>(other)
    moment
    value <=> other.value
  end

  def ==(other)
    moment
    true
  end

  def hash
    moment
    1
  end

  def eql?(other)
    moment
    true
  end

  def to_s
    moment
    "kind"
  end

  def to_str
    moment
    "kind"
  end

  def to_proc
    moment
    proc { |x| [x, moment] }
  end

  def coerce(other)
    moment
    [other, 1]
  end

  def each
    yield 1
    moment
    yield 2
  end

  def +(other)
    moment
    other
  end

  def [](index)
    moment
    index
  end

  def call(*)
    moment
  end

  def method_missing(name, *arguments)
    RubyMoments.moment
    name.to_s.start_with?("absent") ? arguments : super
  end

  def respond_to_missing?(name, all = false)
    RubyMoments.moment
    name.to_s.start_with?("absent") || super
  end

  define_method(:defined) { |x = 1| [x, moment] }
  define_method(:with_block) { |&block| block.call(2) }
  alias_method :other_name, :shout
end

module Refined
  refine Integer do
    def double
      RubyMoments.moment
      self * 2
    end
  end
end
using Refined

class Local < Kinds
  moment

  def shout(value)
    moment
    super(value) { |x| [x, moment] }
  end
end

def kinds
  one = Kinds.make(3)
  one.shout(1)
  one.other_name(2)
  one.absent(1)
  one.respond_to?(:absent_too)
  one.defined
  one.with_block { |x| [x, recurse(1)] }
  one.public_send(:defined, 4)
  one.send(:shout, 5)
  one.method(:shout).call(6)
  Kinds.instance_method(:defined).bind_call(one)
  one.(7)
  one + 1
  1 + one
  one[3]
  one < Kinds.new(5)
  one == 2
  { one => 1 }[Kinds.new]
  "#{one} and #{one}"
  "a".dup << one
  [1, 2].each(&one)
  Kinds::Absent
  Local.new.shout(1)
  Class.new(Kinds) { moment }.new
  one.instance_eval { moment }
  Kinds.class_eval { moment }
  one.instance_exec(1) { |x| [x, moment] }
  SimpleDelegator.new(one).shout(8)
  4.double
  one.singleton_class.define_method(:single) { moment }
  one.single
  one.then { |x| x.tap { moment } }
  one.frozen? || moment
end

def blocks
  [1, 2].each { moment }
  [1, 2].map { |x| [x, recurse(1)] }
  [3, 1, 2].sort { |a, b| [moment, a <=> b].last }
  [3, 1].sort_by { |a| [moment, a].last }
  [1, 2].inject { |a, b| [moment, a + b].last }
  [1, 2].each_with_index.map { |x, i| [x, i, moment] }
  2.times { |i| 2.times { |j| [i, j, moment] } }
  1.upto(2) { moment }
  { a: 1 }.each_pair { |k, v| [k, v, moment] }
  Hash.new { |hash, key| [moment, hash[key] = key] }[1]
  "abab".gsub("a") { [moment, "x"].last }
  [[1, 2], [3]].flat_map { |list| list.each_slice(1).map { moment } }
  (1..3).lazy.map { |x| [x, moment] }.select { moment }.first(2)
  Set[1, 2].each { moment }
  Struct.new(:a) { def show = RubyMoments.moment }.new(1).show
  %w[a b].each_with_object([]) { |x, list| list << [x, moment] }
  loop do
    moment
    break
  end
  [1, 2].each do |x|
    next if x == 1

    moment
  end
  add = proc { |a, b| [a, b, moment] }
  add.curry[1][2]
  (add >> proc { moment }).call(1, 2)
  lambda { |x| return [x, moment] }.call(1)
  %w[a].map(&:upcase).each(&method(:note))
  RubyMoments.protected_yield { moment }
  RubyMoments.call_with_block([1, 2], :each)
  RubyMoments.unlocked_yield { recurse(2) }
end

def note(_)
  moment
end

def early
  [1, 2].each do |x|
    return x if moment
  end
ensure
  moment
end

def exceptions
  early
  catch(:done) do
    [1].each { throw :done, moment }
  end
  tries = 0
  begin
    tries += 1
    moment
    raise ArgumentError, "x" if tries < 3
  rescue ArgumentError
    recurse(1)
    retry
  else
    moment
  ensure
    moment
  end
  begin
    [1].each { |x| x.absent_method }
  rescue NoMethodError => e
    [e, moment]
  end
  begin
    begin
      raise "first"
    rescue StandardError
      moment
      raise "second"
    ensure
      moment
    end
  rescue StandardError
    moment
  end
end

def generators
  from_outside = Enumerator.new do |y|
    moment
    y << 1
    recurse(1)
    y.yield 2, 3
    moment
  end
  from_outside.next
  from_outside.next
  from_outside.each { moment }
  Kinds.new.to_enum(:each).with_index.to_a
  Enumerator.produce(1) { |x| [moment, x + 1].last }.take(3)
  fiber = Fiber.new do |x|
    moment
    inner = Fiber.new { [recurse(2), Fiber.yield(moment), moment] }
    inner.resume
    Fiber.yield x
    inner.resume
    moment
  end
  fiber.resume(1)
  moment
  fiber.resume
end

def short_lived
  eval("def made; RubyMoments.moment; end; made", binding, "made.rb", 7)
  eval("moment")
  Kinds.new.instance_eval("moment; shout(1) { moment }", "evaluated.rb", 3)
  Kinds.class_eval("def late; moment; end", "late.rb", 100)
  Kinds.new.late
end

def hooks
  calls = 0
  TracePoint.new(:call, :return, :raise) do
    calls += 1
    RubyMoments.moment if calls % 3 == 0
  end.enable { [recurse(2), exceptions] }
  previous = trap(:USR1) { moment }
  Process.kill(:USR1, Process.pid)
  100.times { calls += 1 }
  trap(:USR1, previous || "DEFAULT")
end

def child
  pid = fork do
    work
    exit!(0)
  end
  Process.wait(pid)
  moment
end

def work
  recurse(6)
  recurse(40)
  kinds
  blocks
  exceptions
  generators
end

def threads
  lock = Monitor.new
  queue = Queue.new
  list = Array.new(3) do
    Thread.new do
      work
      lock.synchronize { moment }
      queue << 1
    end
  end
  3.times { queue.pop }
  list.each(&:join)
  Thread.new { Thread.current.thread_variable_set(:a, moment) }.value
end

def round_of_all(number)
  work
  hooks
  short_lived if number % 16 == 0
  return unless number % 8 == 0

  threads
  child
end

# Until the files that the program maps are known, stacks have no frames of Ruby.
def warm_up
  finish = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 1
  round_of_all(0) while Process.clock_gettime(Process::CLOCK_MONOTONIC) < finish
end

warm_up
RubyMoments.start
Integer(ARGV[0]).times { |number| round_of_all(number) }
sleep 0.5 # the last stacks are read before the code is freed
