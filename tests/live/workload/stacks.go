// SPDX-License-Identifier: BSD-2-Clause
// stacks: maps, sorting, recursion and panics on two goroutines.
package main

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

type node struct {
	left, right *node
	value       int
}

func insert(n *node, v int) *node {
	if n == nil {
		return &node{value: v}
	}
	if v < n.value {
		n.left = insert(n.left, v)
	} else {
		n.right = insert(n.right, v)
	}
	return n
}

func work(i int) (total int) {
	defer func() {
		if r := recover(); r != nil {
			total += len(fmt.Sprint(r))
		}
	}()
	var root *node
	names := map[string]int{}
	for k := 0; k < 300; k++ {
		root = insert(root, (k*7919+i)%1000)
		names[fmt.Sprintf("%d-%s", k%50, strings.Repeat("x", k%7))]++
	}
	keys := make([]string, 0, len(names))
	for key := range names {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	if i%10 == 0 {
		panic(keys[0])
	}
	return len(keys)
}

func main() {
	var group sync.WaitGroup
	end := time.Now().Add(500 * time.Millisecond)
	for g := 0; g < 2; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			for i := g; time.Now().Before(end); i++ {
				work(i)
			}
		}(g)
	}
	group.Wait()
}
