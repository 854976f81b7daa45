@lf_pool_in_flash = internal addrspace(1) constant [1 x i8] c"\00", align 4

@lf_pool = internal alias i8, addrspacecast (ptr addrspace(1) @lf_pool_in_flash to ptr)

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) addrspace(1) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = getelementptr i8, ptr %b, i32 8
  %b.1.t2 = getelementptr i8, ptr %b.1.t1, i32 4
  %b.1.t3 = getelementptr i8, ptr %b, i32 8
  %b.1.t4 = getelementptr i8, ptr %b, i32 4
  %b.1.t5 = load i32, ptr %b.1.t4, align 1
  %b.1.t6 = icmp ult i32 %b.1.t5, 4
  br i1 %b.1.t6, label %ok.1, label %bad.1, !prof !0
bad.1:
  call addrspace(1) void @lf_fault(ptr %b, i8 zeroext 1, i16 zeroext 0, i32 %b.1.t5, i32 4) #1
  unreachable
ok.1:
  %ok.1.t1 = trunc i32 %b.1.t5 to i16
  %ok.1.t2 = mul i16 %ok.1.t1, 2
  %ok.1.t3 = zext i16 %ok.1.t2 to i32
  %ok.1.t4 = getelementptr i8, ptr %b.1.t3, i32 %ok.1.t3
  %ok.1.t5 = load i16, ptr %ok.1.t4, align 1
  store i16 %ok.1.t5, ptr %b.1.t2, align 1
  %ok.1.t6 = getelementptr i8, ptr %b, i32 8
  %ok.1.t7 = getelementptr i8, ptr %b, i32 8
  call addrspace(1) void @"function.Program.Last.1"(ptr %b, ptr %ok.1.t6, i16 zeroext 4, ptr %ok.1.t7)
  br label %b.2
b.2:
  %b.2.t1 = sub i8 %slot, 0
  call addrspace(1) void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %b.2.t1, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal void @"function.Program.Last.1"(ptr %b, ptr %p0, i16 zeroext %p1, ptr %p2) addrspace(1) nounwind {
entry:
  br label %b.1
b.1:
  %b.1.t1 = icmp slt i16 %p1, 0
  %b.1.t2 = icmp slt i16 %p1, 0
  %b.1.t3 = and i16 %p1, 32767
  %b.1.t4 = zext i16 %b.1.t3 to i32
  %b.1.t5 = call addrspace(1) { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %b.1.t4, i32 1)
  %b.1.t6 = extractvalue { i32, i1 } %b.1.t5, 0
  %b.1.t7 = extractvalue { i32, i1 } %b.1.t5, 1
  %b.1.t8 = xor i1 %b.1.t7, true
  br i1 %b.1.t8, label %ok.1, label %bad.1, !prof !0
bad.1:
  call addrspace(1) void @lf_fault(ptr %b, i8 zeroext 3, i16 zeroext 2, i32 %b.1.t4, i32 1) #1
  unreachable
ok.1:
  %ok.1.t1 = and i16 %p1, 32767
  %ok.1.t2 = zext i16 %ok.1.t1 to i32
  %ok.1.t3 = icmp ult i32 %b.1.t6, %ok.1.t2
  br i1 %ok.1.t3, label %ok.2, label %bad.2, !prof !0
bad.2:
  call addrspace(1) void @lf_fault(ptr %b, i8 zeroext 1, i16 zeroext 3, i32 %b.1.t6, i32 %ok.1.t2) #1
  unreachable
ok.2:
  %ok.2.t1 = trunc i32 %b.1.t6 to i16
  %ok.2.t2 = mul i16 %ok.2.t1, 2
  %ok.2.t3 = zext i16 %ok.2.t2 to i32
  %ok.2.t4 = getelementptr i8, ptr %p0, i32 %ok.2.t3
  br i1 %b.1.t1, label %flash.1, label %ram.1
flash.1:
  %flash.1.t1 = ptrtoint ptr %ok.2.t4 to i16
  %flash.1.t2 = inttoptr i16 %flash.1.t1 to ptr addrspace(1)
  %flash.1.t3 = load i16, ptr addrspace(1) %flash.1.t2, align 1
  br label %both.1
ram.1:
  %ram.1.t1 = load i16, ptr %ok.2.t4, align 1
  br label %both.1
both.1:
  %both.1.t1 = phi i16 [ %flash.1.t3, %flash.1 ], [ %ram.1.t1, %ram.1 ]
  store i16 %both.1.t1, ptr %p2, align 1
  ret void
}
