// SPDX-License-Identifier: BSD-2-Clause
/* An extension of Ruby. RubyMoments.moment stores the stack of Ruby functions that the interpreter
 * itself reports. It then calls ruby_moment(), which has a probe of the test: the test compares the
 * recorded stack with the stored stack. After RubyMoments.start, the stored stacks are written to
 * the file $MOMENTS, and each moment has a number. */
#include <fcntl.h>
#include <ruby.h>
#include <ruby/debug.h>
#include <ruby/thread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t count;
static int fd = -1; /* descriptor of the file $MOMENTS; -1 before start */

__attribute__((noinline, visibility("default"))) void ruby_moment(uint64_t number)
{
	__asm__ volatile("" : : "r"(number) : "memory");
}

static uint64_t next_number(void)
{
	return fd < 0 ? 0
		      : (uint64_t)getpid() << 32 | __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
}

static VALUE call(VALUE receiver, const char *method)
{
	return rb_funcall(receiver, rb_intern(method), 0);
}

static _Thread_local char text[1 << 17];
static _Thread_local int text_size;

/* Stores the frames of Ruby code, the innermost one first. The frames of C functions are left out:
 * they have no instruction sequence. */
static VALUE store_frames(const rb_debug_inspector_t *inspector, void *arg)
{
	VALUE places = rb_debug_inspector_backtrace_locations(inspector);

	(void)arg;
	for (long i = 0; i < RARRAY_LEN(places); i++) {
		VALUE place = rb_ary_entry(places, i), label = call(place, "label");
		VALUE path = call(place, "absolute_path");

		if (!RTEST(rb_debug_inspector_frame_iseq_get(inspector, i)))
			continue;
		/* code that is not from a file has no absolute path */
		if (!RB_TYPE_P(path, T_STRING))
			path = call(place, "path");
		text_size += snprintf(text + text_size, sizeof(text) - (size_t)text_size,
				      "%s\t%s:%d\n", StringValueCStr(label), StringValueCStr(path),
				      FIX2INT(call(place, "lineno")));
		if ((size_t)text_size >= sizeof(text))
			abort();
	}
	return Qnil;
}

static void write_frames(uint64_t number)
{
	text_size = snprintf(text, sizeof(text), "moment %llu\n", (unsigned long long)number);
	rb_debug_inspector_open(store_frames, NULL);
	if (fd >= 0 && write(fd, text, (size_t)text_size) != text_size)
		abort();
}

static VALUE moment(VALUE self)
{
	const uint64_t number = next_number();

	write_frames(number);
	ruby_moment(number);
	return self;
}

static VALUE start(VALUE self)
{
	fd = open(getenv("MOMENTS"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		abort();
	return self;
}

/* ---- Calls of Ruby from C ---- */

static VALUE yield(VALUE arg)
{
	return rb_yield(arg);
}

static VALUE note(VALUE arg)
{
	return moment(arg);
}

static VALUE note_error(VALUE arg, VALUE error)
{
	(void)error;
	return moment(arg);
}

/* Yields in a function that C code protects. */
static VALUE protected_yield(VALUE self)
{
	int state = 0;

	rb_ensure(yield, rb_protect(yield, self, &state), note, self);
	return rb_rescue(yield, self, note_error, self);
}

static VALUE block_of_c(RB_BLOCK_CALL_FUNC_ARGLIST(item, arg))
{
	(void)item;
	(void)argc;
	(void)argv;
	(void)blockarg;
	moment(arg);
	return rb_funcall(arg, rb_intern("called_back"), 0);
}

/* Passes a block that is a C function to a method of Ruby. */
static VALUE call_with_block(VALUE self, VALUE receiver, VALUE method)
{
	return rb_block_call(receiver, rb_to_id(method), 0, NULL, block_of_c, self);
}

static void *with_lock(void *arg)
{
	rb_yield((VALUE)arg);
	return NULL;
}

static void *without_lock(void *arg)
{
	return rb_thread_call_with_gvl(with_lock, arg);
}

/* Releases the lock of the interpreter, and yields after it was acquired again. */
static VALUE unlocked_yield(VALUE self)
{
	rb_thread_call_without_gvl(without_lock, (void *)self, NULL, NULL);
	return self;
}

void Init_ruby_moments(void);
void Init_ruby_moments(void)
{
	VALUE module = rb_define_module("RubyMoments");

	rb_define_module_function(module, "moment", moment, 0);
	rb_define_module_function(module, "start", start, 0);
	rb_define_module_function(module, "protected_yield", protected_yield, 0);
	rb_define_module_function(module, "call_with_block", call_with_block, 2);
	rb_define_module_function(module, "unlocked_yield", unlocked_yield, 0);
}
